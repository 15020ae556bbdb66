"""Comparisons in the background: a bounded number runs, a bounded number waits, a bounded number is remembered."""

from __future__ import annotations

import secrets
import sys
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from tercet.errors import TercetError
from tercet.serve.limits import Limits
from tercet.serve.work import Found, Work

State = Literal["waiting", "running", "done", "failed"]


class BusyError(TercetError):
    """Too much is asked for at once; later it will be answered."""


class StoppingError(TercetError):
    """The server is about to end."""


class UnknownError(TercetError):
    """There is no such comparison, or there is none any more."""


class _EndedError(Exception):
    """Nobody wants the result any more."""


@dataclass
class Job:
    """A comparison from its upload to its report."""

    work: Work
    size: int
    """Bytes of the texts."""
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))  # whoever knows it may read the texts
    state: State = "waiting"
    stage: str = "waiting"
    done: int = 0
    """Segments in the report."""
    error: str = ""
    found: Found | None = None
    touched: float = field(default_factory=time.monotonic)
    ended: bool = False

    @property
    def progress(self) -> float:
        """From 0 to 1; what judging takes of it is a guess, for it cannot be seen inside."""
        if self.state in ("done", "failed"):
            return 1.0
        if self.state == "waiting" or self.stage == "judging":
            return 0.0
        return self.done / max(1, self.work.segments)

    @property
    def held(self) -> int:
        """Bytes of memory, about."""
        return self.size + (self.found.size if self.found is not None else 0)


class Jobs:
    """All of them. Every method may be called from any thread."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._changed = threading.Condition()
        self._known: OrderedDict[str, Job] = OrderedDict()
        self._queue: deque[Job] = deque()
        self._uploading = self._running = 0
        self._stopping = False
        self._threads: list[threading.Thread] = []

    @contextmanager
    def place(self) -> Iterator[Callable[[Work, int], Job]]:
        """Keeps a place while files arrive; what it gives puts the comparison there."""
        with self._changed:
            if self._stopping:
                raise StoppingError("the server is stopping")
            if self._uploading + len(self._queue) >= self._limits.waiting:
                raise BusyError(f"{self._limits.waiting} comparisons are waiting already; try again in a while")
            self._uploading += 1
        try:
            yield self._add
        finally:
            with self._changed:
                self._uploading -= 1

    def get(self, name: str) -> Job:
        """The job of that id."""
        with self._changed:
            self._forget()
            if name not in self._known:
                kept = f"{self._limits.kept_seconds / 60:g} minutes"
                raise UnknownError(f"there is no comparison {name!r}; the last {self._limits.kept} are kept for {kept}")
            job = self._known[name]
            job.touched = time.monotonic()
            self._known.move_to_end(name)
            return job

    def end(self, name: str) -> None:
        """Forgets a job, and stops it if it runs."""
        job = self.get(name)
        with self._changed:
            job.ended = True
            self._known.pop(name, None)
            if job in self._queue:
                self._queue.remove(job)

    def counts(self) -> dict[str, int]:
        """How many wait, run and are kept."""
        with self._changed:
            self._forget()
            waiting = self._uploading + len(self._queue)
            finished = sum(job.state in ("done", "failed") for job in self._known.values())
            return {"waiting": waiting, "running": self._running, "kept": finished}

    def stop(self, seconds: float = 5.0) -> bool:
        """Ends everything; whether nothing runs any more."""
        with self._changed:
            self._stopping = True
            self._queue.clear()
            for job in self._known.values():
                job.ended = True
            self._changed.notify_all()
        until = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _add(self, work: Work, size: int) -> Job:
        job = Job(work, size)
        with self._changed:
            if self._stopping:
                raise StoppingError("the server is stopping")
            self._known[job.id] = job
            self._queue.append(job)
            self._forget()
            if len(self._threads) < self._limits.jobs:
                # of our own, and not a pool's: an interpreter waits for those before it may end
                thread = threading.Thread(target=self._serve, name="tercet-comparison", daemon=True)
                self._threads.append(thread)
                thread.start()
            self._changed.notify()
        return job

    def _serve(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._queue or self._stopping)
                if self._stopping:
                    return
                job = self._queue.popleft()
                job.state, job.stage = "running", "judging"
                self._running += 1
            try:
                self._run(job)
            finally:
                with self._changed:
                    self._running -= 1
                    job.touched = time.monotonic()
                    self._forget()

    def _run(self, job: Job) -> None:
        until = time.monotonic() + self._limits.job_seconds

        def check() -> None:
            if job.ended:
                raise _EndedError
            if time.monotonic() > until:
                raise TercetError(
                    f"the comparison took longer than {self._limits.job_seconds:g} seconds; "
                    "use tercet compare on the command line"
                )

        def progress(done: int) -> None:
            job.done += done
            check()

        def judged() -> None:
            job.stage = "writing the report"
            check()

        try:
            job.found = job.work.run(judged, progress)
            job.state, job.stage = "done", "done"
        except _EndedError:
            job.state, job.stage, job.error = "failed", "ended", "the comparison was ended"
        except TercetError as error:
            job.state, job.stage, job.error = "failed", "failed", " ".join(str(error).split())
        except MemoryError:
            job.state, job.stage, job.error = "failed", "failed", "there is not enough memory for this comparison"
        except Exception as error:  # a mistake of ours ends the job, not the server
            print(f"tercet: comparison: {type(error).__name__}: {error}", file=sys.stderr)
            job.state, job.stage = "failed", "failed"
            job.error = "an error inside tercet; the server's terminal says which"

    def _forget(self) -> None:
        """What is old, or too much; those longest unasked for go first. Called with the lock held."""
        now, kept, held = time.monotonic(), 0, 0
        for job in reversed(list(self._known.values())):
            if job.state not in ("done", "failed"):
                continue
            kept, held = kept + 1, held + job.held
            old = now - job.touched > self._limits.kept_seconds
            if old or kept > self._limits.kept or (held > self._limits.kept_bytes and kept > 1):
                del self._known[job.id]
