from __future__ import annotations

from pathlib import Path

import pytest

from tercet import resources
from tercet.errors import ResourceError
from tercet.resources import cache as cache_module
from tests.resources.conftest import Declare


@pytest.fixture
def installed(declare: Declare, cache: Path, toy_wheel: Path) -> Path:
    """The folder of the toy."""
    declare()
    resources.install("toy", sources=[toy_wheel])
    return cache / "toy"


def test_find_reads_no_contents(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_module, "sha256_of", lambda path: pytest.fail("a file was hashed"))
    assert resources.find("toy") == installed
    assert resources.find("toy", "data/numbers.bin") == installed / "data/numbers.bin"


def test_find_what_is_missing_names_the_command(declare: Declare) -> None:
    declare()
    with pytest.raises(ResourceError) as caught:
        resources.find("toy")
    assert str(caught.value) == "the resource toy is not installed; run `tercet resources install toy`"


def test_find_a_file_that_the_resource_does_not_have(installed: Path) -> None:
    with pytest.raises(ResourceError, match=r"toy: has no none\.txt; it has words\.txt, data/numbers\.bin"):
        resources.find("toy", "none.txt")


def test_unknown_name_lists_the_names(declare: Declare) -> None:
    declare()
    declare(name="toy2")
    with pytest.raises(ResourceError, match=r"there is no resource 'tory'; there are toy, toy2"):
        resources.find("tory")


def test_older_version_is_not_found(declare: Declare, installed: Path) -> None:
    declare(version="2")
    message = "installed in version 1, and 2 is needed; run `tercet resources install toy`"
    with pytest.raises(ResourceError, match=message):
        resources.find("toy")
    with pytest.raises(ResourceError, match=message):
        resources.verify("toy")
    assert resources.status("toy").state == "outdated"


def test_truncated_file(installed: Path) -> None:
    words = installed / "words.txt"
    words.write_bytes(words.read_bytes()[:-1])
    message = rf"{words}: 3,999 bytes instead of 4,000; run `tercet resources install toy`"
    with pytest.raises(ResourceError, match=message):
        resources.find("toy")
    with pytest.raises(ResourceError, match=message):
        resources.verify("toy")


def test_altered_byte_is_found_by_verify(installed: Path) -> None:
    words = installed / "words.txt"
    words.write_bytes(b"C" + words.read_bytes()[1:])
    assert resources.find("toy") == installed  # of the same size: only verify reads it
    with pytest.raises(ResourceError, match=rf"{words}: sha256 is [0-9a-f]{{64}} instead of [0-9a-f]{{64}}; run"):
        resources.verify("toy")


def test_every_broken_file_is_named(installed: Path) -> None:
    (installed / "words.txt").unlink()
    (installed / "data/numbers.bin").write_bytes(b"")
    first, second = resources.damage(resources.status("toy"))
    assert first == f"{installed / 'words.txt'}: missing"
    assert second == f"{installed / 'data/numbers.bin'}: 0 bytes instead of 5,120"


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", '{"files": {"a": 1}}', '{"files": []}', "\ufeff{}"])
def test_broken_manifest(installed: Path, text: str) -> None:
    (installed / "manifest.json").write_text(text, encoding="utf-8")
    assert resources.status("toy").state == "broken"
    with pytest.raises(ResourceError, match=r"manifest\.json: not a manifest; run `tercet resources install toy`"):
        resources.find("toy")


def test_fingerprint_follows_the_contents(declare: Declare, installed: Path, toy_wheel: Path) -> None:
    first = resources.fingerprint("toy")
    resources.remove("toy")
    resources.install("toy", sources=[toy_wheel])
    assert resources.fingerprint("toy") == first
    manifest = resources.status("toy").manifest
    assert manifest is not None
    other = cache_module.Manifest(manifest.name, manifest.version, manifest.origin, manifest.date, {})
    assert other.sha256 != first


def test_place_of_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TERCET_CACHE", raising=False)
    assert resources.root().parts[-2:] == ("tercet", "resources")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERCET_CACHE", "here")
    assert resources.root() == tmp_path / "here" / "resources"
