"""Work that must be done in little processor time, however busy the machine is."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest

Within = Callable[[float], AbstractContextManager[None]]


class TooLong(Exception):
    """The time is up."""


@pytest.fixture
def within() -> Within:
    """`with within(seconds):` ends what computes for longer, also inside a regular expression."""
    if not hasattr(signal, "SIGPROF") or threading.current_thread() is not threading.main_thread():
        pytest.skip("this system cannot limit processor time")

    def ended(*_: object) -> None:
        raise TooLong("it computes for too long")

    @contextlib.contextmanager
    def limited(seconds: float) -> Iterator[None]:
        before = signal.signal(signal.SIGPROF, ended)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)

    return limited
