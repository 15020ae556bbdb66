"""Who runs tasks: this process, or the workers of a Dask cluster. Results come in the order of the tasks."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

import tercet
from tercet.errors import OptionError, TercetError

if TYPE_CHECKING:
    from distributed import Client, Future

Engine = Literal["single", "dask"]
Progress = Callable[[int], None]
T = TypeVar("T")
R = TypeVar("R")

LOCAL = "local:"
PATIENCE = 10.0  # seconds until a scheduler has answered
_EXTRA = "install the extra with pip install 'tercet[dask]'"


class Driver(Protocol):
    """Applies a function to tasks. Nothing about a result depends on who runs it, or when."""

    @property
    def workers(self) -> int:
        """How many tasks may run at once."""

    def run(self, function: Callable[[T], R], tasks: Sequence[T], done: Callable[[R], None]) -> list[R]:
        """The results in the order of the tasks; `done` is called as each comes."""


@dataclass(frozen=True)
class Single:
    """This process."""

    workers: int = 1

    def run(self, function: Callable[[T], R], tasks: Sequence[T], done: Callable[[R], None]) -> list[R]:
        """One after the other."""
        found = []
        for task in tasks:
            found.append(function(task))
            done(found[-1])
        return found


@dataclass(frozen=True)
class Dask:
    """The workers of a cluster. Tasks of a worker that dies are given to another."""

    client: Client
    threads: int

    @property
    def workers(self) -> int:
        return max(1, int(sum(self.client.nthreads().values())))

    def run(self, function: Callable[[T], R], tasks: Sequence[T], done: Callable[[R], None]) -> list[R]:
        """All of them, as workers become free; the first error ends the run."""
        from distributed import Future, as_completed

        futures = [
            self.client.submit(_threaded, function, task, self.threads, pure=False, priority=-number)
            for number, task in enumerate(tasks)
        ]
        places = {future.key: number for number, future in enumerate(futures)}
        coming, number = as_completed(futures), len(futures)
        del futures  # one that is held would be computed again if the worker that keeps its result died
        found: dict[int, Any] = {}
        try:
            for future in coming:
                place = places.pop(future.key)
                found[place] = _result(future)
                done(found[place])
                future.release()
        finally:
            if len(found) < number:
                with suppress(Exception):  # the cluster may be gone
                    self.client.cancel([Future(key, self.client) for key in places], force=True)
        return [found[number] for number in range(len(tasks))]


def _result(future: Future) -> Any:
    from distributed import KilledWorker
    from distributed.client import FutureCancelledError

    try:
        return future.result()
    except KilledWorker as error:
        raise TercetError(
            "a partition has ended several workers; they may lack memory: give a smaller --partition, "
            "and run the same command again"
        ) from error
    except FutureCancelledError as error:
        raise TercetError(
            "the scheduler has lost its tasks; run the same command again: what is done is kept"
        ) from error


def _threaded(function: Callable[[T], R], task: T, threads: int) -> R:
    """Runs in a worker."""
    tercet.set_threads(threads)
    return function(task)


@contextmanager
def driver(engine: Engine, scheduler: str | None, threads: int = 0) -> Iterator[Driver]:
    """The driver that `--engine` and `--scheduler` name; `threads` are those of kernels in every process, 0 for all."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if engine == "single":
        if scheduler is not None:
            raise OptionError("--scheduler says where Dask runs; give --engine dask too")
        tercet.set_threads(threads or cores)
        yield Single()
        return
    if engine != "dask":
        raise OptionError(f"engine={engine!r} is not allowed; it takes single or dask")
    scheduler = scheduler or f"{LOCAL}{cores}"
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise OptionError(f"--engine dask needs Dask; {_EXTRA}") from error
    if scheduler.startswith(LOCAL):
        number = scheduler.removeprefix(LOCAL)
        if not number.isascii() or not number.isdecimal() or not int(number):
            raise OptionError(f"--scheduler {scheduler} is not allowed; write local:2 for two workers, or an address")
        with _local(int(number)) as client:
            yield Dask(client, threads or max(1, cores // int(number)))
        return
    with _remote(scheduler) as client:
        yield Dask(client, threads or 1)


@contextmanager
def _local(workers: int) -> Iterator[Client]:
    import tempfile

    from distributed import Client, LocalCluster

    with (
        tempfile.TemporaryDirectory(prefix="tercet-dask-") as folder,
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            local_directory=folder,
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@contextmanager
def _remote(address: str) -> Iterator[Client]:
    from distributed import Client

    try:
        file = Path(address)  # what `dask scheduler --scheduler-file` writes for those who share a disk with it
        client = Client(json.loads(file.read_text())["address"] if file.is_file() else address, timeout=PATIENCE)
    except (OSError, ValueError, KeyError, TypeError, TimeoutError) as error:
        reason = str(error).splitlines()[0] if str(error) else "no answer"
        raise OptionError(
            f"--scheduler {address}: there is no Dask scheduler ({reason}); write its address, such as tcp://host:8786"
        ) from error
    with client:
        if not client.nthreads():
            raise OptionError(f"--scheduler {address}: has no workers; start some, for instance with dask worker")
        yield client
