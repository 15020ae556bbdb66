"""The server as a process: an address to listen at, and an end that leaves nothing half done."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
import sys
from collections.abc import Callable

import uvicorn

from tercet.compare.judges import Judge
from tercet.errors import OptionError
from tercet.serve.application import create_app
from tercet.serve.limits import Limits

MOST_CONNECTIONS = 1000
SWITCH = 0.0005
"""Seconds, of a thread that computes while others wait."""
GRACE = 10
"""Seconds for requests to be answered once the server is told to stop."""


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
    config = uvicorn.Config(
        app,
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=GRACE,
        h11_max_incomplete_event_size=32_768,
    )
    # whoever answers waits this long for whoever computes: a comparison must not make the page slow
    sys.setswitchinterval(SWITCH)
    ready(f"http://{f'[{host}]' if ':' in host else host}:{port}/")
    with contextlib.suppress(KeyboardInterrupt):  # uvicorn raises it again when all is done
        uvicorn.Server(config).run(sockets=[at])
    if not app.stopped:  # a comparison is deep in native code: nobody waits for it, and it has written nothing
        sys.stderr.flush()
        sys.stdout.flush()
        os._exit(0)
