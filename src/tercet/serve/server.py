"""The server as a process: an address to listen at, and an end that leaves nothing half done."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
import socket
import sys
from collections.abc import Callable

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from tercet.compare.judges import Judge
from tercet.errors import OptionError
from tercet.serve.application import create_app
from tercet.serve.guard import Guard
from tercet.serve.limits import Limits

MOST_CONNECTIONS = 1000
SWITCH = 0.0005
"""Seconds, of a thread that computes while others wait."""
GRACE = 10
"""Seconds for requests to be answered once the server is told to stop."""

HEAD_SECONDS = 15
"""In which the head of a request must have arrived, from when its connection was made or its first byte came."""


class Patient(H11Protocol):
    """HTTP as uvicorn speaks it, but not for those who open connections and say nothing, or a byte now and then."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody is there."""
        super().connection_made(transport)
        # asyncio asks for it only of sockets that name their protocol; without, every answer waits 40 ms for a nod
        if (at := transport.get_extra_info("socket")) is not None and at.family in (socket.AF_INET, socket.AF_INET6):
            at.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._waiting = self.loop.call_later(HEAD_SECONDS, transport.close)

    def data_received(self, data: bytes) -> None:
        """Something has come: of a request's head, its body, or of one that will be answered after this."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._not_waiting()
        elif self._waiting is None:  # the beginning of the next request
            self._waiting = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there any more."""
        self._not_waiting()
        super().connection_lost(exc)

    def _not_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


def is_local(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def listen(host: str, port: int) -> socket.socket:
    """A socket at that address; port 0 takes any that is free."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=256)
    except socket.gaierror as error:
        raise OptionError(f"there is no address {host!r} ({error.strerror}); choose another --host") from error
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OptionError(f"cannot listen at {host} port {port} ({reason}); choose another --port, or 0") from error


def configured(app: Guard) -> uvicorn.Config:
    """How the application is served."""
    return uvicorn.Config(
        app,
        http=Patient,
        ws="none",
        log_level="error",  # what strangers send is no news
        access_log=False,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=GRACE,
        h11_max_incomplete_event_size=32_768,
    )


def serve(
    judge: Judge,
    at: socket.socket,
    *,
    limits: Limits,
    hosts: frozenset[str] = frozenset(),
    ready: Callable[[str], None] = lambda url: None,
) -> None:
    """Answers until it is told to stop (Ctrl+C, SIGTERM); `ready` is called with the address of the page."""
    host, port = at.getsockname()[:2]
    app = create_app(judge, limits=limits, hosts=hosts, local=is_local(host))
    # whoever answers waits this long for whoever computes: a comparison must not make the page slow
    sys.setswitchinterval(SWITCH)
    ready(f"http://{f'[{host}]' if ':' in host else host}:{port}/")
    with contextlib.suppress(KeyboardInterrupt):  # uvicorn raises it again when all is done
        uvicorn.Server(configured(app)).run(sockets=[at])
    if not app.stopped:  # a comparison is deep in native code: nobody waits for it, and it has written nothing
        sys.stderr.flush()
        sys.stdout.flush()
        os._exit(0)
