"""Results on stdout or in a file that appears whole or not at all; everything else on stderr."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from tercet.errors import InputError


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """A text file that takes the place of `path` when the block ends without an error."""
    with _whole(path) as descriptor, os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
        yield file


def write_bytes(path: Path, content: bytes, *, remedy: str = "choose another -o") -> None:
    """The file `path` with this content, whole or not at all."""
    with _whole(path, remedy) as descriptor, os.fdopen(descriptor, "wb") as file:
        file.write(content)


@contextlib.contextmanager
def _whole(path: Path, remedy: str = "choose another -o") -> Iterator[int]:
    """The descriptor of a file that takes the place of `path`; who uses it closes it.

    A pipe or a device (`/dev/null`, `/dev/stdout`, `>(…)`) is written to as it stands: nothing may take its place.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        try:
            yield os.open(path, os.O_WRONLY)
        except BrokenPipeError:  # the reader has seen enough: the command line knows what to do
            raise
        except OSError as error:
            raise InputError(f"cannot be written ({error.strerror})", file=path, remedy=remedy) from error
        return
    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", file=path, remedy=remedy) from error
    temporary = Path(name)
    try:
        yield descriptor
        with temporary.open("r+b") as written:
            os.fsync(written.fileno())
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)  # mkstemp's file is private; a result is not
        temporary.replace(path)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", file=path, remedy=remedy) from error
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def whole_folder(path: Path, *, replaces: str) -> Iterator[Path]:
    """A folder that takes the place of `path` when the block ends without an error.

    What is there already is replaced only if it is empty or holds the file `replaces`: a folder of the same kind.
    """
    path = path.absolute()
    if path.exists() and not (path.is_dir() and ((path / replaces).is_file() or not any(path.iterdir()))):
        raise InputError("exists and is something else", file=path, remedy="choose another -o")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", file=path, remedy="choose another -o") from error
    old = temporary.with_name(temporary.name + ".old")
    try:
        yield temporary
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o777 & ~mask)
        if path.exists():
            path.rename(old)
        try:
            temporary.rename(path)
        except OSError:
            if old.exists():
                old.rename(path)
            raise
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", file=path, remedy="choose another -o") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def write_result(text: str, path: Path | None) -> None:
    """The result, to a file or to stdout."""
    if path is None or str(path) == "-":
        sys.stdout.write(text)
        return
    if path.is_dir():
        raise InputError("is a directory", file=path, remedy="give -o a file")
    with whole_file(path) as file:
        file.write(text)


_silent = False


def be_quiet(quiet: bool) -> bool:
    """Whether bars are to be left out from now on, whoever would draw them; gives the same back."""
    global _silent
    _silent = quiet
    return quiet


@contextlib.contextmanager
def progress_bar(description: str, total: int, *, quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """A bar on stderr that is gone when the work is done; nothing where nobody looks."""
    if quiet or _silent or not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(description, total=total)
        yield lambda done: progress.advance(task, done)
