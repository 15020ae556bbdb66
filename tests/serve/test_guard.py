"""Who is answered, how much is taken, and what every answer tells the browser."""

from __future__ import annotations

import asyncio
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

for part in ("fastapi", "uvicorn", "python_multipart", "httpx"):
    pytest.importorskip(part, reason="the server's tests need the extras serve and dev: pip install 'tercet[dev]'")

import httpx  # noqa: E402

from tercet.serve import Limits, create_app  # noqa: E402
from tercet.serve.guard import Guard  # noqa: E402
from tests.serve.listening import listening  # noqa: E402

BODY = {"references": ["a b c"], "translations": {"A": "a b", "B": "c d"}}


def test_every_answer_has_the_headers(client):
    for path in ("/", "/assets/page.js", "/api/health", "/nothing", "/api/openapi.json"):
        answer = client.get(path)
        headers = answer.headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "no-referrer"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert not [name for name in headers if name.startswith("access-control")]
        assert "server" not in headers


def test_the_page_has_no_inline_script_and_names_no_other_place(client):
    page = client.get("/").text
    assert "script-src 'self'" in client.get("/").headers["content-security-policy"]
    assert page.count("<script") == 1
    assert "style=" not in page
    assert " onclick" not in page
    for text in (page, client.get("/assets/page.js").text, client.get("/assets/page.css").text):
        assert "//" not in text.replace("http://www.w3.org/2000/svg", "").replace("\n//", "").replace(
            " // ", ""
        ).replace("  //", "")
    assert "model joint" in page
    assert "{{" not in page


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8377", "", "a b", "["]
)
def test_another_host_is_refused(url, host):
    answer = httpx.get(f"{url}/api/health", headers={"host": host})
    assert answer.status_code in (400, 403)
    assert "ok" not in answer.text


@pytest.mark.parametrize("host", ["localhost:1", "LOCALHOST", "127.0.0.1", "[::1]:8377", "192.168.1.7:80"])
def test_addresses_and_localhost_are_answered(client, host):
    assert client.get("/api/health", headers={"host": host}).status_code == 200


def test_a_name_can_be_allowed():
    app = Guard(None, limits=Limits(), hosts=frozenset(["Box.example"]))  # type: ignore[arg-type]
    assert app._is_known("box.example:8377")
    assert not app._is_known("other.example")


def test_pages_of_other_places_are_refused(client):
    for headers in ({"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}):
        answer = client.post("/api/verdict", json=BODY, headers=headers)
        assert answer.status_code == 403
        assert "are not answered" in answer.json()["error"]
    own = {"origin": str(client.base_url).rstrip("/"), "sec-fetch-site": "same-origin"}
    assert client.post("/api/verdict", json=BODY, headers=own).status_code == 200


def test_unknown_addresses_and_methods(client):
    for method, path, status in (
        ("GET", "/nothing", 404),
        ("GET", "/assets/..%2f..%2fpyproject.toml", 404),
        ("GET", "/assets/report.css", 404),
        ("GET", "/docs", 404),
        ("PUT", "/api/verdict", 405),
        ("GET", "/api/verdict", 405),
        ("GET", "/api/comparisons/nonsense", 404),
        ("GET", "/api/comparisons/" + "x" * 100, 422),
    ):
        answer = client.request(method, path)
        assert (answer.status_code, list(answer.json())) == (status, ["error"])


@pytest.mark.parametrize(("path", "limit"), [("/api/verdict", "0.02 MB"), ("/api/comparisons", "0.3 MB")])
@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_is_too_large_is_refused(client, path, limit, chunked):
    kind = "application/json" if path == "/api/verdict" else "multipart/form-data; boundary=x"
    start = b"--x\r\nContent-Disposition: form-data; name=references\r\n\r\n"
    pieces = [start, *([b"a" * 10_000] * 40)]
    body = iter(pieces) if chunked else b"".join(pieces)
    answer = client.post(path, content=body, headers={"content-type": kind})
    assert answer.status_code == 413
    assert answer.json()["error"].startswith(f"the request is larger than {limit}; use tercet compare")
    assert client.get("/api/health").json()["comparisons"]["waiting"] == 0


def test_a_body_that_never_ends_is_not_waited_for():
    sent = []

    async def application(scope, receive, send):
        from starlette.exceptions import HTTPException

        with pytest.raises(HTTPException, match=r"0\.05 seconds to arrive"):
            await receive()
        sent.append("ended")

    async def never():
        await asyncio.sleep(10)

    scope = {"type": "http", "method": "POST", "path": "/api/verdict", "headers": [(b"host", b"localhost")]}
    asyncio.run(Guard(application, limits=Limits(body_seconds=0.05))(scope, never, None))  # type: ignore[arg-type]
    assert sent == ["ended"]


def test_a_mistake_of_ours_is_no_trace(capsys):
    async def application(scope, receive, send):
        raise KeyError("secret")

    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/x", "headers": [(b"host", b"localhost")]}
    asyncio.run(Guard(application, limits=Limits())(scope, None, send))  # type: ignore[arg-type]
    assert sent[0]["status"] == 500
    assert b"secret" not in sent[1]["body"]
    assert "KeyError: 'secret' at " in capsys.readouterr().err


def test_a_hundred_requests_at_once_have_the_same_answer(url):
    with httpx.Client(base_url=url, timeout=60, limits=httpx.Limits(max_connections=100)) as client:
        with ThreadPoolExecutor(100) as pool:
            answers = list(pool.map(lambda _: client.post("/api/verdict", json=BODY), range(100)))
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.text for answer in answers}) == 1


def test_nonsense_on_the_wire_leaves_the_server_up(client, url):
    port = int(url.rpartition(":")[2])
    for junk in (
        b"\x00" * 100,
        b"GET / HTTP/1.1\r\n\r\n",
        b"POST /api/verdict HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(junk)
            connection.settimeout(2)
            try:
                answer = connection.recv(1000)
            except TimeoutError:
                answer = b""
            assert b" 200 " not in answer[:20]
    time.sleep(0.01)
    assert client.get("/api/health").status_code == 200


def test_too_much_at_once_is_refused_until_later(judge):
    files = [("references", ("r", b"a\n")), ("translations", ("x", b"a\n")), ("translations", ("y", b"b\n"))]
    with listening(create_app(judge, limits=Limits(jobs=0, waiting=1, answers_waiting=1))) as url:
        first = httpx.post(f"{url}/api/comparisons", files=files)
        assert first.status_code == 202
        second = httpx.post(f"{url}/api/comparisons", files=files)
        assert (second.status_code, second.headers["retry-after"]) == (429, "5")
        assert second.json()["error"] == "1 comparisons are waiting already; try again in a while"
        where = f"{url}{first.headers['location']}"
        for part in ("report", "result", "segments/1"):
            answer = httpx.get(f"{where}/{part}")
            assert answer.status_code == 409
            assert answer.json()["error"] == "the comparison is not ready yet: waiting"
        assert httpx.delete(where).status_code == 204
        assert httpx.post(f"{url}/api/comparisons", files=files).status_code == 202
    with listening(create_app(judge, limits=Limits(answers_waiting=0))) as url:
        answer = httpx.post(f"{url}/api/verdict", json=BODY)
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "5")
