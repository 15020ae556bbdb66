"""An index that is cut short is found before it is used, and made again."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from tercet import resources
from tercet.errors import ResourceError
from tercet.metrics.registry import metric
from tercet.resources.entry import Compiled, PyPI, Resource
from tests import toy_meteor
from tests.resources.conftest import Declare, describe

pytestmark = pytest.mark.faults


@pytest.fixture
def wheel(declare: Declare, tmp_path: Path) -> Path:
    """METEOR's wheel in small, declared as the resource `meteor`."""
    (tmp_path / "wheels").mkdir(exist_ok=True)
    path = toy_meteor.wheel(tmp_path / "wheels")
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    entry = describe(path, PyPI("pycocoevalcap", "1.2"), {name: name for name in contents}, contents)
    compiled = Compiled("tercet.language.meteor_compile:compile_tables", "meteor.tables", 100_000)
    declare(Resource("meteor", "1", "METEOR in small", "none", (entry,), compiled))
    return path


def score() -> float:
    return metric("meteor").corpus(["the dogs went to a city"], [["the hound went to the town"]])


@pytest.mark.parametrize("left", [0, 20, 1000, -1])
def test_a_truncated_index_is_found_and_rebuilt(wheel: Path, cache: Path, left: int) -> None:
    assert resources.install("meteor", sources=[wheel])
    index = cache / "meteor" / "meteor.tables"
    whole, wanted = index.read_bytes(), score()
    index.write_bytes(whole[:left])
    with pytest.raises(ResourceError, match=r"bytes instead of.*run `tercet resources install meteor`") as error:
        score()
    assert "\n" not in str(error.value)
    assert resources.install("meteor", sources=[wheel])
    assert hashlib.sha256(index.read_bytes()).digest() == hashlib.sha256(whole).digest()
    assert score() == wanted


def test_an_index_of_the_same_size_with_other_bytes_is_found_and_rebuilt(wheel: Path, cache: Path) -> None:
    resources.install("meteor", sources=[wheel])
    index = cache / "meteor" / "meteor.tables"
    whole = index.read_bytes()
    index.write_bytes(whole[:500] + bytes([whole[500] ^ 255]) + whole[501:])
    with pytest.raises(ResourceError, match=r"sha256 is .* instead of"):
        resources.verify("meteor")
    assert resources.install("meteor", sources=[wheel])
    assert index.read_bytes() == whole
