"""What is installed: the folder of each resource, its manifest, and whether the two agree."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

from tercet.errors import ResourceError
from tercet.resources import table
from tercet.resources.entry import Resource

MANIFEST = "manifest.json"
State = Literal["installed", "missing", "outdated", "broken"]


def root() -> Path:
    """The folder of all resources: in $TERCET_CACHE, or in the user's cache folder."""
    if chosen := os.environ.get("TERCET_CACHE"):
        return Path(chosen).expanduser().absolute() / "resources"
    import platformdirs

    return Path(platformdirs.user_cache_dir("tercet", appauthor=False)) / "resources"


def folder_of(name: str) -> Path:
    """Where a resource is, or would be."""
    return root() / name


def remedy(name: str) -> str:
    """What to do about a resource that is missing or broken."""
    return f"run `tercet resources install {name}`"


@dataclass(frozen=True)
class Entry:
    """An installed file: bytes and sha256."""

    size: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What the installation wrote: the files, with `/` between the parts of their paths."""

    name: str
    version: str
    origin: tuple[str, ...]
    date: str
    files: dict[str, Entry]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(entry.size for entry in self.files.values())

    @property
    def sha256(self) -> str:
        """One digest for all files: equal in two installations exactly if their contents are."""
        lines = (f"{entry.sha256}  {file}\n" for file, entry in sorted(self.files.items()))
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    def to_json(self) -> str:
        """The text of manifest.json."""
        content = {
            "name": self.name,
            "version": self.version,
            "origin": self.origin,
            "date": self.date,
            "files": {file: {"size": entry.size, "sha256": entry.sha256} for file, entry in self.files.items()},
        }
        return json.dumps(content, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Raises ValueError, KeyError, TypeError or AttributeError where the text is no manifest."""
        content: dict[str, Any] = json.loads(text)
        files = {file: Entry(int(of["size"]), str(of["sha256"])) for file, of in content["files"].items()}
        return cls(content["name"], content["version"], tuple(content["origin"]), content["date"], files)


@dataclass(frozen=True)
class Status:
    """How a resource stands; `problem` says in one line what is wrong unless it is installed."""

    resource: Resource
    folder: Path
    state: State
    problem: str = ""
    manifest: Manifest | None = None


def status(name: str) -> Status:
    """How a resource stands, from its manifest and the sizes of its files; their contents are not read."""
    resource = table.named(name)
    folder = folder_of(name)
    try:
        manifest = Manifest.from_json((folder / MANIFEST).read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        if folder.is_dir():
            return Status(resource, folder, "broken", f"{folder / MANIFEST}: missing")
        return Status(resource, folder, "missing", f"the resource {name} is not installed")
    except OSError as error:
        return Status(resource, folder, "broken", f"{folder / MANIFEST}: {error.strerror}")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Status(resource, folder, "broken", f"{folder / MANIFEST}: not a manifest")
    if manifest.version != resource.version:
        older = f"the resource {name} is installed in version {manifest.version}, and {resource.version} is needed"
        return Status(resource, folder, "outdated", older, manifest)
    for problem in _differences(folder, manifest, hashes=False):
        return Status(resource, folder, "broken", problem, manifest)
    return Status(resource, folder, "installed", manifest=manifest)


def damage(found: Status) -> list[str]:
    """A line for every file that is not what was installed, after reading all of them; none if all is well."""
    if found.manifest is None or found.state == "outdated":
        return [found.problem]
    return [*_unpinned(found), *_differences(found.folder, found.manifest, hashes=True)]


def _unpinned(found: Status) -> Iterator[str]:
    """Files whose manifest states another sha256 than the table of resources: both may have been changed together."""
    if found.manifest is None or found.resource.compiled is not None:
        return
    pinned = {wanted.name: wanted.sha256 for archive in found.resource.archives for wanted in archive.wanted}
    for file, sha256 in pinned.items():
        entry = found.manifest.files.get(file)
        if entry is None or entry.sha256 != sha256:
            yield f"{found.folder / MANIFEST}: states another sha256 of {file} than {sha256}, which is the right one"


def _differences(folder: Path, manifest: Manifest, *, hashes: bool) -> Iterator[str]:
    for file, entry in manifest.files.items():
        path = folder / file
        try:
            size = path.stat().st_size
            if size != entry.size:
                yield f"{path}: {size:,} bytes instead of {entry.size:,}"
            elif hashes and (digest := sha256_of(path)) != entry.sha256:
                yield f"{path}: sha256 is {digest} instead of {entry.sha256}"
        except FileNotFoundError:
            yield f"{path}: missing"
        except OSError as error:
            yield f"{path}: {error.strerror}"


def installed(name: str) -> Status:
    """The status of a resource that is there; raises ResourceError with the command that puts it right if it is not."""
    found = status(name)
    if found.state != "installed":
        raise ResourceError(f"{found.problem}; {remedy(name)}")
    return found


def find(name: str, file: str = "") -> Path:
    """The folder of an installed resource, or a file in it; takes no longer than a look at the files' sizes."""
    found = installed(name)
    assert found.manifest is not None
    if file and file not in found.manifest.files:
        raise ResourceError(f"{found.folder}: has no {file}; it has {', '.join(found.manifest.files)}")
    return found.folder / file


def fingerprint(name: str) -> str:
    """The sha256 of an installed resource as a whole, for signatures."""
    manifest = installed(name).manifest
    assert manifest is not None
    return manifest.sha256


def verify(name: str) -> Manifest:
    """Reads every file of an installed resource; raises ResourceError that names the broken ones."""
    found = status(name)
    if broken := damage(found):
        raise ResourceError(f"{', '.join(broken)}; {remedy(name)}")
    assert found.manifest is not None
    return found.manifest


def sha256_of(path: Path) -> str:
    """The digest of a file's contents."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
