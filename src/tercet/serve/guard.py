"""What every request passes: who may ask, how much may be sent, what every answer says to the browser."""

from __future__ import annotations

import asyncio
import ipaddress
import sys
import time
import traceback
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from tercet.serve.limits import Limits

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

UPLOADS = "/api/comparisons"
"""The one path that takes files."""

_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}
"""Unless an answer says otherwise itself. There is no CORS: pages of other places read nothing here."""


class Guard:
    """Stands before an application. Whatever goes wrong behind it, the answer is one line of JSON, never a trace."""

    def __init__(
        self,
        application: Application,
        *,
        limits: Limits,
        hosts: frozenset[str] = frozenset(),
        is_stopped: Callable[[], bool] = lambda: True,
    ) -> None:
        self._application, self._limits, self._is_stopped = application, limits, is_stopped
        self._hosts = frozenset(host.lower() for host in hosts if host) | {"localhost"}

    @property
    def stopped(self) -> bool:
        """Whether nothing runs behind it any more."""
        return self._is_stopped()

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        started = False

        async def answer(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = _with_headers(message.get("headers", []))
            await send(message)

        try:
            refusal = self._refusal(scope)
            if refusal is not None:
                await refusal(scope, receive, answer)
                return
            await self._application(scope, self._limited(scope, receive), answer)
        except Exception as error:  # a mistake of ours: the client learns that much, the terminal where
            print(f"tercet: {scope['method']} {scope['path']!r}: {_place(error)}", file=sys.stderr)
            if not started:
                await error_answer(500, "an error inside tercet; the server's terminal says where")(
                    scope, receive, answer
                )

    def _refusal(self, scope: MutableMapping[str, Any]) -> JSONResponse | None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        if not self._is_known(host):
            problem = f"this server is not called {host!r}; open it by its address, or start it with --allow-host NAME"
            return error_answer(403, problem)
        origin = headers.get(b"origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return error_answer(403, f"requests from pages of {origin!r} are not answered")
        if headers.get(b"sec-fetch-site") == "cross-site" and scope["method"] not in ("GET", "HEAD"):
            return error_answer(403, "requests from pages of other places are not answered")
        length = headers.get(b"content-length", "0")
        if not (length.isascii() and length.isdigit()):
            return error_answer(400, "the Content-Length is not a number")
        if len(length) > 18 or int(length) > self._limit(scope):
            return _too_large(self._limit(scope))
        return None

    def _is_known(self, host: str) -> bool:
        """An address or a name of this server. A stranger's name that leads here (DNS rebinding) is neither."""
        try:
            name = (urlsplit(f"//{host}").hostname or "").rstrip(".").lower()
        except ValueError:
            return False
        if name in self._hosts:
            return True
        try:
            ipaddress.ip_address(name.partition("%")[0])
        except ValueError:
            return False
        return True

    def _limit(self, scope: MutableMapping[str, Any]) -> int:
        return self._limits.upload if scope["path"].rstrip("/") == UPLOADS else self._limits.body

    def _limited(self, scope: MutableMapping[str, Any], receive: Receive) -> Receive:
        """Counts what really arrives, whatever the headers said, and does not wait for ever."""
        limit, taken, whole = self._limit(scope), 0, False
        until = time.monotonic() + self._limits.body_seconds

        async def limited() -> Message:
            nonlocal taken, whole
            if whole:
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), max(0.0, until - time.monotonic()))
            except TimeoutError:
                raise HTTPException(
                    408, f"the request took longer than {self._limits.body_seconds:g} seconds to arrive"
                ) from None
            taken += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if taken > limit:
                raise HTTPException(413, _too_large_text(limit))
            return message

        return limited


def error_answer(status: int, problem: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """`{"error": …}`: one line, as the command line would print it."""
    line = " ".join(problem.split()).encode("utf-8", "replace").decode()
    return JSONResponse({"error": line}, status, headers)


def _too_large(limit: int) -> JSONResponse:
    return error_answer(413, _too_large_text(limit), {"connection": "close"})


def _too_large_text(limit: int) -> str:
    return f"the request is larger than {limit / 1e6:g} MB; use tercet compare on the command line"


def _with_headers(given: Any) -> list[tuple[bytes, bytes]]:
    found = [(name.lower(), value) for name, value in given]
    names = {name for name, _ in found}
    return found + [(name.encode(), value.encode()) for name, value in _HEADERS.items() if name.encode() not in names]


def _place(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return " ".join(f"{type(error).__name__}: {error}{where}".split())
