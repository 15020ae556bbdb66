"""The native kernels: any bytes as texts, with half surrogates, NULs and marks without end."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np

from fuzz.target import target
from tercet import _native
from tercet.features.registry import feature_set
from tercet.language import tokenizers
from tercet.language.english import tokens as english
from tercet.language.pipeline import english_pipeline
from tercet.lattice.text import Wording
from tercet.metrics.registry import metric

MOST = 6000
SEEDS = [
    "The cat sat on the mat.\x1eA cat sat on a mat\x1eCats, sitting on mats!",
    "\x1e\x1e",
    "\ud800\x1e\udfff a\x1e\U0010ffff",
    "a" + "\u0301" * 3000 + "\x1ea\x1eb",
    "\x00\x00 \x00\x1e\x00\x1e \x00",
    "1,000.50 $5-7 don't U.S.A. a@b.c http://x.y/z?q=1\x1e«“’”»…\x1e中文字，日本語。",
    "a " * 500 + "\x1e" + "b a " * 400 + "\x1e" + "a b c " * 300,
]
WORDS = ["\x1e", " ", "\u3000", "\u200b", "\u0301", "\ud800", "\x00", "ß", "İ", "ﬁ", ".", ",", "'", "1", "中"]
METRICS = ["bleu", "bleu:tokenize=intl", "bleu:tokenize=zh", "bleu:tokenize=char,lowercase=true", "chrf:word_order=2"]
METRICS += ["ter", "ter:normalized=true,asian_support=true", "wer", "nist", "meteor:modules=exact", "hyter"]


def texts_of(data: bytes) -> list[str]:
    """Three texts: bytes that are not UTF-8 become lone surrogates."""
    text = data[:MOST].decode("utf-8", "surrogatepass" if _sound(data) else "surrogateescape")
    return [*text.split("\x1e", 2), "", ""][:3]


def _sound(data: bytes) -> bool:
    try:
        data[:MOST].decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


@target("metrics", SEEDS, WORDS)
def _metrics(data: bytes, folder: Path) -> None:
    first, second, reference = texts_of(data)
    for name in METRICS:
        try:
            scorer = metric(name)
        except Exception as error:
            if type(error).__name__ == "ResourceError":
                continue
            raise
        given = [(reference, second), (reference,)]
        rows = scorer.for_references(given).statistics([first, second], given)
        assert np.isfinite(rows).all(), name
        assert np.isfinite(scorer.score(rows)).all(), name


@target("features", SEEDS, WORDS)
def _features(data: bytes, folder: Path) -> None:
    first, second, reference = texts_of(data)
    for name in ("beer57", "beer57:lowercase=true"):
        found = feature_set(name).transform([first, second], [(reference,), (first, reference)])
        assert np.isfinite(found).all(), name


@target("tokenizers", SEEDS, WORDS)
def _tokenizers(data: bytes, folder: Path) -> None:
    texts = texts_of(data)
    for name in ("none", "13a", "intl", "char", "zh"):
        tokenizers.prepare(name)  # type: ignore[arg-type]
        assert len(tokenizers.tokenize(texts, name)) == 3  # type: ignore[arg-type]
    Wording(punctuation=False).words(texts)
    for text in texts:
        tokens = english(text)
        assert len(tokens.forms) == len(tokens.starts)


@target("english", SEEDS, WORDS)
def _english(data: bytes, folder: Path) -> None:
    english_pipeline().analyze([text[:600] for text in texts_of(data)])


@target("explanation", SEEDS, WORDS)
def _explanation(data: bytes, folder: Path) -> None:
    """What the page asks for: a verdict with all of its reasons."""
    from tercet.compare import choose_judge
    from tercet.serve.limits import Limits
    from tercet.serve.work import verdict

    first, second, reference = texts_of(data)
    judge = _JUDGES.setdefault("bleu", choose_judge(None, "bleu"))
    verdict(
        judge, Limits(), references=[reference[:400]], translations={"a": first[:400], "b": second[:400]}, packed=True
    )


_JUDGES: dict[str, object] = {}


@target("native-arrays", [bytes(range(64)), b"\x00" * 64, b"\xff" * 64])
def _arrays(data: bytes, folder: Path) -> None:
    """Arrays that no caller of ours would give: refused with a Python error, and never read beyond their ends."""
    numbers = np.frombuffer(data[: len(data) // 8 * 8], np.int64)
    small = np.frombuffer(data[: len(data) // 4 * 4], np.int32)
    unsigned = np.frombuffer(data[: len(data) // 4 * 4], np.uint32)
    some = np.frombuffer(data, np.uint8)
    calls = (
        lambda: _native.line_texts(some, numbers),
        lambda: _native.Forest(numbers, small, small, small, small),
        lambda: _native.Lattices().add(3, [(int(n), int(m), ("a",)) for n, m in pairwise(small)], [2]),
        lambda: _native.Phrases(some, *[unsigned] * 7).spans(["a", "b"]),
        lambda: _native.Phrases(some, *[unsigned] * 7).paraphrases(int(unsigned[0]) if len(unsigned) else 0),
    )
    for call in calls:
        try:
            call()
        except (ValueError, TypeError, IndexError, OverflowError, RuntimeError, UnicodeDecodeError):
            continue
