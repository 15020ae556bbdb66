"""The table itself: sound entries, and, where downloads are wanted, the real data."""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

import pytest

from tercet import resources
from tercet.resources import cache as cache_module
from tercet.resources.entry import Resource

ENTRIES = list(resources.RESOURCES.values())


@pytest.mark.parametrize("resource", ENTRIES, ids=lambda resource: resource.name)
def test_entry_is_sound(resource: Resource) -> None:
    assert re.fullmatch(r"[a-z0-9][a-z0-9-]*", resource.name)
    assert resource.version
    assert resource.licence
    assert "\n" not in resource.purpose
    kept = [wanted.name for archive in resource.archives for wanted in archive.wanted]
    assert len(set(kept)) == len(kept)
    assert cache_module.MANIFEST not in kept
    for archive in resource.archives:
        assert re.fullmatch(r"[0-9a-f]{64}", archive.sha256)
        assert archive.wanted
        assert archive.size > 0
        assert archive.origin.version in archive.file
        for wanted in archive.wanted:
            path = PurePosixPath(wanted.name)
            assert not path.is_absolute()
            assert ".." not in path.parts
            assert re.fullmatch(r"[0-9a-f]{64}", wanted.sha256)
            if wanted.member is None:
                assert (wanted.size, wanted.sha256) == (archive.size, archive.sha256)


def test_no_host_is_written_anywhere() -> None:
    for file in Path(cache_module.__file__).parent.glob("*.py"):
        assert not re.search(r"https?://|\.org/|\.com/", file.read_text("utf-8")), file


@pytest.mark.resource
@pytest.mark.skipif(
    os.environ.get("TERCET_TEST_DOWNLOADS") != "1", reason="downloads 900 MB; set TERCET_TEST_DOWNLOADS=1 to run it"
)
@pytest.mark.parametrize("name", list(resources.RESOURCES))
def test_real_resource(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path))
    assert resources.install(name)
    manifest = resources.verify(name)
    assert manifest.size == pytest.approx(resources.RESOURCES[name].size, rel=0.2)
    assert not resources.install(name)
    resources.remove(name)
    assert [path.name for path in resources.root().iterdir()] == [f".{name}.lock"]
