"""What comes over the network: bodies of requests and their headers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

from fuzz.target import target
from tercet.serve.limits import Limits
from tercet.serve.uploads import receive

BODY = (
    b'--b\r\nContent-Disposition: form-data; name="references"; filename="r.txt"\r\n\r\na\nb\n\r\n'
    b'--b\r\nContent-Disposition: form-data; name="translations"; filename="../s.txt"\r\n\r\na\nc\n\r\n'
    b"--b\r\nContent-Disposition: form-data; name=\"translations\"; filename*=UTF-8''%41.sgm\r\n\r\n<tstset>"
    b"\r\n--b--\r\n"
)
WORDS = ["\r\n--b\r\n", "--b--", 'Content-Disposition: form-data; name="', 'filename="', "filename*=", "\r\n\r\n", "; "]


@target("uploads", [BODY], WORDS)
def _uploads(data: bytes, folder: Path) -> None:
    async def stream() -> AsyncIterator[bytes]:
        for at in range(0, len(data), 1000):
            yield data[at : at + 1000]

    upload = asyncio.run(receive(stream(), "multipart/form-data; boundary=b"))
    upload.corpus(Limits(upload=1_000_000, segment=1_000, verdicts=100))


@target(
    "upload-type", ["multipart/form-data; boundary=b", 'multipart/form-data; boundary="b"; x=y'], ["boundary=", '"']
)
def _type(data: bytes, folder: Path) -> None:
    async def stream() -> AsyncIterator[bytes]:
        yield BODY

    asyncio.run(receive(stream(), data.decode("latin-1")))
