"""Comparisons in the background: bounded in every way."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

import pytest

from tercet.errors import InputError

for part in ("fastapi", "uvicorn", "python_multipart", "httpx"):
    pytest.importorskip(part, reason="the server's tests need the extras serve and dev: pip install 'tercet[dev]'")

from tercet.serve.jobs import BusyError, Jobs, StoppingError, UnknownError  # noqa: E402
from tercet.serve.limits import Limits  # noqa: E402

FOUND = SimpleNamespace(size=1000, summary={})


class Slow:
    """Work that goes on until it is let go."""

    segments = 10

    def __init__(self, error: Exception | None = None) -> None:
        self.go, self.began, self.error = threading.Event(), threading.Event(), error

    def run(self, judged, progress):
        self.began.set()
        judged()
        while not self.go.wait(0.005):
            progress(0)
        progress(10)
        if self.error is not None:
            raise self.error
        return FOUND


def add(jobs: Jobs, work: Slow, size: int = 10):
    with jobs.place() as put:
        return put(work, size)


def wait(job) -> None:
    until = time.monotonic() + 20
    while job.state in ("waiting", "running"):
        assert time.monotonic() < until
        time.sleep(0.005)


def test_one_runs_some_wait_more_are_refused():
    jobs = Jobs(Limits(jobs=1, waiting=2))
    works = [Slow() for _ in range(3)]
    first = add(jobs, works[0])
    assert works[0].began.wait(20)
    others = [add(jobs, work) for work in works[1:]]
    with pytest.raises(BusyError, match="2 comparisons are waiting already"):
        add(jobs, Slow())
    assert jobs.counts() == {"waiting": 2, "running": 1, "kept": 0}
    assert (first.state, others[0].state) == ("running", "waiting")
    for work in works:
        work.go.set()
    for job in (first, *others):
        wait(job)
        assert (job.state, job.progress, job.done) == ("done", 1.0, 10)
    until = time.monotonic() + 20
    while jobs.counts()["running"] and time.monotonic() < until:
        time.sleep(0.005)
    assert jobs.counts() == {"waiting": 0, "running": 0, "kept": 3}
    assert jobs.stop()


def test_an_upload_takes_a_place_and_gives_it_back_when_it_fails():
    jobs = Jobs(Limits(waiting=1))

    def fail() -> None:
        with jobs.place():
            with pytest.raises(BusyError):
                add(jobs, Slow())
            raise InputError("broken")

    with pytest.raises(InputError, match="broken"):
        fail()
    work = Slow()
    work.go.set()
    wait(add(jobs, work))
    assert jobs.stop()


@pytest.mark.parametrize(
    ("limits", "sizes", "left"),
    [
        (Limits(kept=2), [1, 1, 1], [False, True, True]),
        (Limits(kept_bytes=5000), [1, 3500, 10], [False, False, True]),
        (Limits(kept_bytes=5), [1, 1], [False, True]),
        (Limits(kept_seconds=-1.0), [1], [False]),
    ],
)
def test_the_old_and_the_large_are_forgotten(limits, sizes, left):
    jobs = Jobs(limits)
    made = []
    for size in sizes:
        work = Slow()
        work.go.set()
        made.append(add(jobs, work, size))
        wait(made[-1])
    for job, kept in zip(made, left, strict=True):
        if kept:
            assert jobs.get(job.id) is job
        else:
            with pytest.raises(UnknownError, match="there is no comparison"):
                jobs.get(job.id)
    assert jobs.stop()


def test_what_goes_wrong_ends_one_job_only(capsys):
    jobs = Jobs(Limits())
    for error, said in (
        (InputError("bad"), "bad"),
        (MemoryError(), "there is not enough memory for this comparison"),
        (ZeroDivisionError("x"), "an error inside tercet; the server's terminal says which"),
    ):
        work = Slow(error)
        work.go.set()
        job = add(jobs, work)
        wait(job)
        assert (job.state, job.error) == ("failed", said)
    assert "ZeroDivisionError: x" in capsys.readouterr().err
    assert jobs.stop()


def test_time_is_limited():
    jobs = Jobs(Limits(job_seconds=0.05))
    job = add(jobs, Slow())
    wait(job)
    assert job.error == "the comparison took longer than 0.05 seconds; use tercet compare on the command line"
    assert jobs.stop()


def test_a_job_can_be_ended_whether_it_waits_or_runs():
    jobs = Jobs(Limits())
    works = [Slow(), Slow()]
    running, waiting = (add(jobs, work) for work in works)
    assert works[0].began.wait(20)
    jobs.end(waiting.id)
    jobs.end(running.id)
    wait(running)
    assert running.error == "the comparison was ended"
    assert not works[1].began.is_set()
    with pytest.raises(UnknownError):
        jobs.get(running.id)
    assert jobs.stop()


def test_stopping_ends_what_runs_and_refuses_the_rest():
    jobs = Jobs(Limits())
    work = Slow()
    job = add(jobs, work)
    assert work.began.wait(20)
    assert jobs.stop(20)
    assert job.state == "failed"
    with pytest.raises(StoppingError):
        add(jobs, Slow())
