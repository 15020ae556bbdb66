"""Files of paraphrases: PPDB 1.0 and 2.0, and plain lists of a head and its paraphrases."""

from __future__ import annotations

import gzip
import warnings
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

from tercet.errors import InputError, OptionError, TercetWarning
from tercet.lattice.index import Pair

OnMissing = Literal["error", "skip"]

_SEPARATOR = " ||| "
_LONGEST = 1_000_000  # bytes of a line; PPDB's have some hundreds
SCORES = ("PPDB2.0Score", "PPDB1.0Score")
"""The features of PPDB that can be a pair's score, the first that a line has."""


def read_pairs(
    path: Path, *, on_missing: OnMissing = "error", told: Callable[[str], None] | None = None
) -> Iterator[Pair]:
    """The pairs of a file, whose format its first line tells; `.gz` is unpacked.

    A line that cannot be used is an error or, if `on_missing` is "skip", left out: a warning, or `told`, says how many
    there were and names the first.
    """
    broken, first = 0, ""
    for line, text in _lines(path):
        try:
            yield from _ppdb(text) if _SEPARATOR in text else _plain(text)
        except ValueError as error:
            message = f"{path}:{line}: {error}"
            if on_missing == "error":
                raise InputError(
                    str(error),
                    file=path,
                    line=line,
                    remedy="mend the line, or leave such lines out with --on-missing skip",
                ) from None
            broken, first = broken + 1, first or message
    if broken:
        message = f"{broken} broken {'line' if broken == 1 else 'lines'} left out, the first: {first}"
        if told is None:
            warnings.warn(message, TercetWarning, stacklevel=2)
        else:
            told(message)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
            for number, raw in enumerate(iter(lambda: file.readline(_LONGEST + 1), b""), start=1):
                if len(raw) > _LONGEST:  # perhaps a small file that unpacks to gigabytes of nothing
                    raise InputError(f"a line of more than {_LONGEST:,} bytes", file=path, line=number)
                try:
                    text = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                except UnicodeDecodeError:
                    raise InputError("not UTF-8", file=path, line=number) from None
                if text.strip():
                    yield number, text
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot be read ({getattr(error, 'strerror', None) or error})", file=path) from error


def _ppdb(text: str) -> Iterator[Pair]:
    """`[NN] ||| phrase ||| paraphrase ||| Feature=value … ||| alignment ||| entailment` (Ganitkevitch et al. 2013)."""
    fields = text.split(_SEPARATOR)
    if len(fields) < 4 or not (fields[0].startswith("[") and fields[0].rstrip().endswith("]")):
        raise ValueError("not a line of PPDB: [TAG] ||| phrase ||| paraphrase ||| features")
    tag, phrase, paraphrase = fields[0].strip()[1:-1], _words(fields[1]), _words(fields[2])
    if "[" in phrase and ",1]" in phrase:
        return  # a syntactic pattern with gaps, of which a lattice of words can make nothing
    features = dict(part.split("=", 1) for part in fields[3].split() if "=" in part)
    for name in SCORES:
        if name in features:
            yield Pair(phrase, paraphrase, _number(features[name]), tag)
            return
    try:  # the first release has no score; its authors rank by this sum
        forward, backward = _number(features["p(e|f)"]), _number(features["p(f|e)"])
    except KeyError:
        raise ValueError(f"no feature {SCORES[0]}, and no p(e|f) with p(f|e)") from None
    yield Pair(phrase, paraphrase, -(forward + backward), tag)


def _plain(text: str) -> Iterator[Pair]:
    """A head and its paraphrases, separated by tabs where they have several words, else by blanks."""
    items = [item for item in text.split("\t" if "\t" in text else " ") if item]
    if len(items) < 2:
        raise ValueError("a head without paraphrases")
    # control characters that count as white space can be an item of PPDB's, but no word of a sentence
    phrases = [phrase for item in items if (phrase := " ".join(item.split()))]
    if len(phrases) == len(items):
        for phrase in phrases[1:]:
            yield Pair(phrases[0], phrase)


def _words(text: str) -> str:
    phrase = " ".join(text.split())
    if not phrase:
        raise ValueError("an empty phrase")
    return phrase


def _number(text: str) -> float:
    number = float(text)
    if number != number:
        raise ValueError("a score that is not a number")
    return number


def check_on_missing(value: str) -> None:
    """`on_missing` is error or skip."""
    if value not in ("error", "skip"):
        raise OptionError(f"on_missing={value!r} is not allowed; it takes error or skip")
