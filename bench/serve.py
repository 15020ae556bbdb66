"""The server under load: a hundred connections for a minute, small requests beside a large report, the end.

The client is a loop of its own over plain sockets, in this process; client and server share the machine's cores.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bench.measure import Figure

CONNECTIONS = 100
SECONDS = float(os.environ.get("TERCET_BENCH_SECONDS", "60"))
MODEL = "joint"
SYSTEMS, SEGMENTS = 5, 3000
VERDICT = {
    "references": ["The committee will meet again next week to discuss the budget."],
    "translations": {
        "A": "The committee will meet next week again, to discuss the budget.",
        "B": "Committee meets in next week for the discussion of budget.",
    },
}


@dataclass
class Seen:
    """What clients saw."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: dict[str, list[float]] = field(default_factory=dict)

    def add(self, kind: str, status: int, seconds: float) -> None:
        """One answer."""
        self.statuses[status] += 1
        self.seconds.setdefault(kind, []).append(seconds)

    def latency(self, kind: str) -> str:
        """The median and what one in twenty and one in a hundred take longer than."""
        shown = [f"{1000 * float(np.quantile(self.seconds[kind], q)):,.0f}" for q in (0.5, 0.95, 0.99)]
        return f"{' / '.join(shown)} ms (n = {len(self.seconds[kind]):,})"


def figures(data: Path) -> Iterator[Figure]:
    """Statuses, memory and latencies."""
    with _served() as (process, port):
        kinds = ("page", "health", "verdict")
        alone = asyncio.run(_load(port, 1, min(5.0, SECONDS), ("verdict", "health")))
        before = _memory(process.pid)
        seen = asyncio.run(_load(port, CONNECTIONS, SECONDS / 2, kinds))
        middle = _memory(process.pid)
        later = asyncio.run(_load(port, CONNECTIONS, SECONDS / 2, kinds))
        after = _memory(process.pid)
        name = f"{CONNECTIONS} connections, {SECONDS:g} s, model {MODEL}"
        statuses = seen.statuses + later.statuses
        yield Figure(f"{name}: answers", f"{sum(statuses.values()) / SECONDS:,.0f} a second", "")
        shown = ", ".join(f"{status}: {count:,}" for status, count in sorted(statuses.items()))
        yield Figure(f"{name}: statuses", shown, "no 5xx")
        memory = f"{before:,.0f} / {middle:,.0f} / {after:,.0f} MB"
        yield Figure(f"{name}: memory at the start, half way, at the end", memory, "steady")
        for kind in kinds:
            yield Figure(f"{name}: {kind}, 50 / 95 / 99 %", later.latency(kind), "")
        yield Figure("one connection, nothing else: verdict, 50 / 95 / 99 %", alone.latency("verdict"), "")

        taken, beside = asyncio.run(_beside_a_report(port, data))
        name = f"one connection, beside a report of {SYSTEMS} systems × {SEGMENTS:,} segments ({taken:.0f} s)"
        for kind in ("verdict", "health"):
            yield Figure(f"{name}: {kind}, 50 / 95 / 99 %", beside.latency(kind), "")
        bad = {status: count for status, count in beside.statuses.items() if status >= 400}
        yield Figure(f"{name}: errors", str(sum(bad.values())), "0")
        yield Figure("memory after the report", f"{_memory(process.pid):,.0f} MB", "")
        start = time.perf_counter()
        process.send_signal(signal.SIGTERM)
        code = process.wait(60)
        ended = "0" if code in (0, -signal.SIGTERM) else str(code)
        yield Figure("from SIGTERM to the end", f"{time.perf_counter() - start:.1f} s, code {ended}", "< 15 s, code 0")


@contextmanager
def _served() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The server as a user starts it, in a process of its own."""
    command = [sys.executable, "-m", "tercet", "serve", "--port", "0", "-M", MODEL]
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"TERCET_CACHE": cache}
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
            try:
                assert process.stderr is not None
                found = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stderr.readline())
                if found is None:
                    raise RuntimeError("the server does not start")
                yield process, int(found[1])
            finally:
                process.kill()


def _memory(process: int) -> float:
    """Megabytes that a process holds (Linux)."""
    for line in Path(f"/proc/{process}/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("this system does not say how much memory a process holds")


def _message(method: str, path: str, body: bytes = b"", kind: str = "application/json") -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


MESSAGES = {
    "page": _message("GET", "/"),
    "health": _message("GET", "/api/health"),
    "verdict": _message("POST", "/api/verdict", json.dumps(VERDICT).encode()),
}


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
    return int(head.split(b" ", 2)[1]), await reader.readexactly(int(length[1]) if length else 0)


async def _load(port: int, connections: int, seconds: float, kinds: tuple[str, ...]) -> Seen:
    seen, until = Seen(), time.perf_counter() + seconds

    async def ask(number: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        while time.perf_counter() < until:
            kind, start = kinds[number % len(kinds)], time.perf_counter()
            writer.write(MESSAGES[kind])
            status, _ = await _answer(reader)
            seen.add(kind, status, time.perf_counter() - start)
            number += 1
        writer.close()

    await asyncio.gather(*map(ask, range(connections)))
    return seen


async def _beside_a_report(port: int, data: Path) -> tuple[float, Seen]:
    """How long a report takes, and what somebody sees who asks for little meanwhile."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(_message("POST", "/api/comparisons", _upload(data), "multipart/form-data; boundary=b"))
    start = time.perf_counter()
    status, answer = await _answer(reader)
    if status != 202:
        raise RuntimeError(f"the upload was answered with {status}: {answer.decode()}")
    path, seen = f"/api/comparisons/{json.loads(answer)['id']}", Seen()
    while True:
        for kind in ("verdict", "health"):
            asked = time.perf_counter()
            writer.write(MESSAGES[kind])
            status, _ = await _answer(reader)
            seen.add(kind, status, time.perf_counter() - asked)
        writer.write(_message("GET", path))
        _, answer = await _answer(reader)
        found = json.loads(answer)
        if found["state"] in ("done", "failed"):
            writer.close()
            if found["state"] == "failed":
                raise RuntimeError(found["error"])
            return time.perf_counter() - start, seen
        await asyncio.sleep(0.05)


def _upload(data: Path) -> bytes:
    """The first systems of WMT13 as the body of a request."""
    tree = data / "wmt13"
    references = next((tree / "references").iterdir())
    outputs = sorted(path for path in (tree / "system-outputs").rglob("*") if path.is_file())[:SYSTEMS]
    parts = []
    for role, path in (("references", references), *(("translations", path) for path in outputs)):
        lines = path.read_bytes().split(b"\n")[:SEGMENTS]
        head = f'--b\r\nContent-Disposition: form-data; name="{role}"; filename="{path.name}"\r\n\r\n'
        parts.append(head.encode() + b"\n".join(lines) + b"\n\r\n")
    return b"".join(parts) + b"--b--\r\n"
