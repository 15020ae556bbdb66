"""A lock between processes: whoever holds it works, the others wait, and it is free again when its holder dies."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

POLL_SECONDS = 0.1

# Both take the open file's descriptor and raise an error of BUSY when another process holds the lock.
if sys.platform == "win32":
    import msvcrt

    BUSY: tuple[type[OSError], ...] = (PermissionError,)

    def _take(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    def _free(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    BUSY: tuple[type[OSError], ...] = (BlockingIOError,)

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _free(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


@contextmanager
def exclusive(path: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Holds the lock file `path`; `waiting` is called once if another process has it now.

    The file stays: to delete it would let two processes hold locks on two files of the same name.
    """
    with path.open("ab") as file:
        descriptor, told = file.fileno(), False
        while True:
            try:
                _take(descriptor)
                break
            except BUSY:
                if not told:
                    waiting()
                    told = True
                time.sleep(POLL_SECONDS)
        try:
            yield
        finally:
            _free(descriptor)
