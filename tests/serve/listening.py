"""A server that listens, in a thread of the test."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from typing import Any

from tercet.serve.server import configured, listen


@contextlib.contextmanager
def listening(app: Any) -> Iterator[str]:
    """Gives the address, and stops the server in the end."""
    import uvicorn

    class Server(uvicorn.Server):
        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:  # they belong to the main thread
            yield

    at = listen("127.0.0.1", 0)
    server = Server(configured(app))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [at]})
    thread.start()
    try:
        until = time.monotonic() + 30
        while not server.started:
            assert time.monotonic() < until, "the server does not start"
            time.sleep(0.01)
        yield f"http://127.0.0.1:{at.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(30)
        at.close()
