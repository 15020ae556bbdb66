"""`tercet serve` as a user runs it: where it listens, what it says, how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

pytest.importorskip("fastapi", reason="the server's tests need the extra serve: pip install 'tercet[serve]'")
pytest.importorskip("python_multipart", reason="the server's tests need the extra serve: pip install 'tercet[serve]'")


def test_it_listens_here_only_and_ends_when_told(tmp_path):
    command = [sys.executable, "-m", "tercet", "serve", "--port", "0", "-m", "chrf", "-j", "1"]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env=os.environ | {"TERCET_CACHE": str(tmp_path)}
    ) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            found = re.fullmatch(r"tercet: (http://127\.0\.0\.1:\d+/) \(metric chrF2\); Ctrl\+C stops it\n", line)
            assert found is not None, line
            with urllib.request.urlopen(f"{found[1]}api/health", timeout=30) as answer:
                assert json.load(answer)["kind"] == "metric"
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) in (0, -signal.SIGTERM)  # uvicorn passes the signal on when all is done
            assert process.stderr.read() == ""
        finally:
            process.kill()


def test_mistakes_are_one_line(tercet):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run = tercet("serve", "--port", str(port), "-m", "chrf")
        assert run.code == 2
        assert run.err.startswith(f"tercet: cannot listen at 127.0.0.1 port {port} (")
        assert run.err.endswith("choose another --port, or 0\n")
    run = tercet("serve", "-m", "chrf", "-M", "joint")
    assert (run.code, run.err) == (2, "tercet: -M and -m are two judges; choose one\n")
    assert tercet("serve", "-m", "nonsense").code == 2
    assert tercet("serve", "--host", "no such host", "-m", "chrf").err.startswith("tercet: there is no address")


def test_another_address_is_a_warning(tercet, monkeypatch):
    from tercet.serve import server

    monkeypatch.setattr(server, "serve", lambda judge, at, *, ready, **_: ready("http://box/"))
    run = tercet("serve", "--host", "0.0.0.0", "--port", "0", "-m", "chrf")
    assert run.code == 0
    warning, line = run.err.splitlines()
    assert warning.startswith("tercet: warning: whoever can reach 0.0.0.0 can use this server")
    assert line == "tercet: http://box/ (metric chrF2); Ctrl+C stops it"
