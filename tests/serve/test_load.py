"""Many at once, too slow, too much, and the end: the server answers or refuses, and never falls."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the server's tests need the extra serve: pip install 'tercet[serve]'")
pytest.importorskip("python_multipart", reason="the server's tests need the extra serve: pip install 'tercet[serve]'")
httpx = pytest.importorskip("httpx", reason="the server's tests need httpx: pip install httpx")

from tercet.compare import Judge  # noqa: E402
from tercet.serve import Limits, create_app, server  # noqa: E402
from tests.serve.conftest import DEMO  # noqa: E402
from tests.serve.listening import listening  # noqa: E402

VERDICT = {
    "references": ["The cat sat on the mat."],
    "translations": {"A": "The cat sat on a mat.", "B": "Cat on mat."},
}


def together(url: str) -> Any:
    """A client for a hundred threads."""
    return httpx.Client(base_url=url, timeout=60, limits=httpx.Limits(max_connections=100))


def files(lines: int = 20, **changed: bytes) -> list[tuple[str, tuple[str, bytes]]]:
    texts = {name: content * (lines // 20) for name, content in DEMO.items()} | changed
    return [
        ("references", ("r.txt", texts["reference"])),
        ("translations", ("a.txt", texts["careful"])),
        ("translations", ("b.txt", texts["hasty"])),
    ]


def test_a_hundred_connections_while_a_report_is_made(judge: Judge) -> None:
    seconds, threads = 3.0, 100
    limits = Limits(segment=2_000)
    with listening(create_app(judge, limits=limits)) as url:
        started = httpx.post(f"{url}/api/comparisons", files=files(2_000)).json()
        until = time.monotonic() + seconds
        statuses: Counter[int] = Counter()
        lock = threading.Lock()

        def ask(number: int) -> None:
            while True:
                if number % 4:
                    answer = client.get(("/", "/api/health", f"/api/comparisons/{started['id']}")[number % 3])
                else:
                    answer = client.post("/api/verdict", json=VERDICT)
                with lock:
                    statuses[answer.status_code] += 1
                if time.monotonic() > until:
                    return

        with together(url) as client, ThreadPoolExecutor(threads) as pool:
            list(pool.map(ask, range(threads)))
        assert set(statuses) <= {200, 429}
        assert statuses[200] >= threads
        assert httpx.get(f"{url}/api/comparisons/{started['id']}", timeout=60).json()["state"] in ("running", "done")


def test_a_hundred_uploads_at_once(judge: Judge) -> None:
    with listening(create_app(judge, limits=Limits(waiting=3, kept=2))) as url:

        def send(_: int) -> tuple[int, str]:
            answer = client.post("/api/comparisons", files=files())
            return answer.status_code, answer.text

        with together(url) as client, ThreadPoolExecutor(100) as pool:
            answers = list(pool.map(send, range(100)))
        assert {status for status, _ in answers} == {202, 429}
        refused = {json.loads(text)["error"] for status, text in answers if status == 429}
        assert refused == {"3 comparisons are waiting already; try again in a while"}
        health = httpx.get(f"{url}/api/health").json()
        assert health["comparisons"]["kept"] <= 2


def test_who_says_nothing_is_not_waited_for(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "HEAD_SECONDS", 0.3)
    with listening(create_app(judge)) as url:
        port = int(url.rpartition(":")[2])
        request = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for first, said in ((b"", b""), (b"", b"GET / HT"), (request, b"GET /api/he")):
            with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
                if first:
                    connection.sendall(first)
                    assert connection.recv(65536).startswith(b"HTTP/1.1 200")
                connection.sendall(said)
                while connection.recv(65536):  # until the server has enough
                    pass
        with httpx.Client(base_url=url) as client:  # who has asked may think about the next request
            assert client.get("/api/health").status_code == 200
            time.sleep(0.5)
            assert client.get("/api/health").status_code == 200


def test_too_many_pairs_to_explain(judge: Judge) -> None:
    texts = {f"s{i}": f"{i} b a c d " * 200 for i in range(16)}
    with listening(create_app(judge)) as url:
        answer = httpx.post(f"{url}/api/verdict", json={"references": ["a b c d " * 200], "translations": texts})
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("16 translations make 120 pairs with ")
    assert answer.json()["error"].endswith(
        "more than the 200,000 taken here; send fewer or shorter ones, or compare them as files"
    )


def test_stopped_it_answers_what_it_has_begun_and_leaves_nothing_behind(tmp_path: Path) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    command = [sys.executable, "-m", "tercet", "serve", "--port", "0", "-m", "chrf", "-j", "1"]
    environment = os.environ | {"TERCET_CACHE": str(tmp_path / "cache"), "TMPDIR": str(temporary)}
    body = json.dumps(VERDICT).encode()
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stderr is not None
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", process.stderr.readline())
            assert found is not None
            port = int(found[1])
            httpx.post(f"http://127.0.0.1:{port}/api/comparisons", files=files(4_000))  # which runs
            with socket.create_connection(("127.0.0.1", port), timeout=30) as begun:
                begun.sendall(
                    b"POST /api/verdict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    b"Content-Length: %d\r\n\r\n%b" % (len(body), body[:20])
                )
                time.sleep(0.5)
                process.send_signal(signal.SIGTERM)
                until = time.monotonic() + 10
                while time.monotonic() < until:  # nobody else is let in
                    try:
                        socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    except OSError:
                        break
                    time.sleep(0.05)
                begun.sendall(body[20:])
                answer = b""
                while piece := begun.recv(65536):
                    answer += piece
            assert answer.startswith(b"HTTP/1.1 200 OK\r\n"), answer[:300]
            assert json.loads(answer.partition(b"\r\n\r\n")[2])["ranking"][0]["system"] == "A"
            assert process.wait(30) in (0, -signal.SIGTERM)
            assert process.stderr.read() == ""
        finally:
            process.kill()
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 15_000,
        b'{"a":' * 3_000,
        b'{"references": ["' + b"\\ud800" * 2_000 + b'"], "translations": {"a": "x", "b": "y"}}',
        b'{"references": [1' + b"0" * 10_000 + b'], "translations": {}}',
        b'{"references": ["\x00"], "translations": {"a": "\x00", "b": "\xff"}}',
        b"\xff\xfe\x00",
        b'{"references": ["a"], "translations": {"a": "x", "a": "y"}}',
        b'{"references": NaN}',
    ],
)
def test_bodies_that_are_no_requests(client: Any, body: bytes) -> None:
    answer = client.post("/api/verdict", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert list(answer.json()) == ["error"]
    assert "\n" not in answer.json()["error"]
    assert len(answer.json()["error"]) < 500


def test_answers_are_sent_at_once(judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not when the client has acknowledged their head, which it puts off for 40 ms."""
    set_at: list[int] = []
    made = server.Patient.connection_made

    def seen(self: server.Patient, transport: Any) -> None:
        made(self, transport)
        set_at.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))

    monkeypatch.setattr(server.Patient, "connection_made", seen)
    with listening(create_app(judge)) as url:
        assert httpx.get(f"{url}/api/health").status_code == 200
    assert set_at
    assert all(set_at)
