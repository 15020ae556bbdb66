"""Plain text files: checked and divided into segments, and made into strings."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Result, race
from tercet.corpus import Lines

_SIZE = 100_000_000  # bytes


def results(data: Path) -> Iterator[Result]:
    """English and Russian, since the one is nearly all ASCII and the other hardly."""
    from sacrebleu.utils import smart_open

    for language, file in (
        ("English", data / "wmt13" / "references" / "newstest2013-ref.en"),
        ("Russian", data / "wmt17-da" / "source" / "newstest2017-ruen-src.ru"),
    ):
        text = file.read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "text"
            path.write_bytes(text * (_SIZE // len(text)))
            megabytes = path.stat().st_size / 1e6
            yield race(
                f"opening a file, {language}",
                "bytes.decode and split",
                lambda path=path: path.read_bytes().decode().split("\n"),
                lambda path=path: Lines.read(path),
                amount=megabytes,
                unit="MB",
                wanted="≥ 2 ×",
            )
            yield race(
                f"every segment as a string, {language}",
                "sacreBLEU",
                lambda path=path: [line.rstrip() for line in smart_open(str(path))],
                lambda path=path: list(Lines.read(path)),
                amount=megabytes,
                unit="MB",
            )
