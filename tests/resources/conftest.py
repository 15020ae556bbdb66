"""A cache of its own for every test, and small resources made on the spot: nothing here needs a network."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tercet.resources import table
from tercet.resources.entry import Archive, Compiled, Maven, PyPI, Resource, Wanted

CONTENTS = {"toy/words.txt": b"cat\ndog\n" * 500, "toy/data/numbers.bin": bytes(range(256)) * 20}


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def wheel(folder: Path, package: str, contents: Mapping[str, bytes]) -> Path:
    """A wheel that pip takes for one, of version 1.0."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{package}-1.0-py3-none-any.whl"
    about = {
        f"{package}-1.0.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n".encode(),
        f"{package}-1.0.dist-info/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{package}-1.0.dist-info/RECORD": b"",
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**about, **contents}.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return path


def describe(path: Path, origin: PyPI | Maven, wanted: Mapping[str, str], contents: Mapping[str, bytes]) -> Archive:
    """The entry for an archive; `wanted` has the members to take, by the names to keep them under."""
    return Archive(
        origin,
        path.name,
        path.stat().st_size,
        digest(path.read_bytes()),
        tuple(Wanted(name, member, len(contents[member]), digest(contents[member])) for name, member in wanted.items()),
    )


def toy(path: Path, *, name: str = "toy", version: str = "1", compiled: Compiled | None = None) -> Resource:
    """The resource `toy`, from the wheel at `path`."""
    wanted = {"words.txt": "toy/words.txt", "data/numbers.bin": "toy/data/numbers.bin"}
    archive = describe(path, PyPI("toy", "1.0"), wanted, CONTENTS)
    return Resource(name, version, "words and numbers for tests", "CC0-1.0", (archive,), compiled)


Declare = Callable[..., Resource]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of resources in a fresh cache."""
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "resources"


@pytest.fixture
def toy_wheel(tmp_path: Path) -> Path:
    """A wheel with more in it than is wanted."""
    return wheel(tmp_path / "wheels", "toy", {**CONTENTS, "toy/big.txt": b"not wanted", "../../../evil.txt": b"evil"})


@pytest.fixture
def declare(cache: Path, toy_wheel: Path, monkeypatch: pytest.MonkeyPatch) -> Declare:
    """Puts a resource into the table, which is empty otherwise: the toy with other fields, or a ready one."""
    entries: dict[str, Resource] = {}
    monkeypatch.setattr(table, "RESOURCES", entries)
    monkeypatch.setattr("tercet.resources.RESOURCES", entries)

    def put(resource: Resource | None = None, **fields: object) -> Resource:
        resource = resource or toy(toy_wheel, **fields)  # type: ignore[arg-type]
        entries[resource.name] = resource
        return resource

    return put


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch, toy_wheel: Path) -> Path:
    """pip looks into a folder, which holds the toy's wheel, and nowhere else."""
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(toy_wheel.parent))
    return toy_wheel.parent
