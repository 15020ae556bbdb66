"""Parses the English sentences of WMT folders into the parser's store: those that people judged first, then the rest.

    python -m training.stanford_cache --data DIR [--folder wmt12 --folder wmt13] [--all] [--threads N] [--limit N]

It may be ended at any time, and goes on where it stopped. On stderr: how far it is, and sentences per second.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tercet.language.stanford import CAP, Stanford
from tercet.rankers.data import read_pairs
from tercet.rankers.pairs import Pairs

EVERY = 30.0  # seconds between two lines on how far it is


def judged(pairs: Pairs, seed: int = 1) -> Iterator[str]:
    """References and judged translations, by segments in random order: what is done is a fair part."""
    groups = np.unique(pairs.groups)
    order = np.argsort(pairs.groups, kind="stable")
    firsts = np.searchsorted(pairs.groups[order], groups)
    rows = np.split(order, firsts[1:])
    for group in np.random.default_rng(seed).permutation(len(groups)):
        for row in rows[group]:
            corpus, segment = pairs.texts[pairs.text[row]].corpus, int(pairs.segment[row])
            systems = list(corpus.systems.values())
            yield from corpus.references[segment]
            yield systems[pairs.first[row]][segment]
            yield systems[pairs.second[row]][segment]


def everything(pairs: Pairs) -> Iterator[str]:
    """Every reference and translation of the texts."""
    for texts in pairs.texts:
        for references in texts.corpus.references:
            yield from references
        for system in texts.corpus.systems.values():
            yield from system


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds wmt12/ and wmt13/")
    parser.add_argument("--folder", action="append", help="by default wmt12 and wmt13")
    parser.add_argument("--all", action="store_true", help="also what nobody judged")
    parser.add_argument("--threads", type=int, default=0, help="by default one a core")
    parser.add_argument("--limit", type=int, help="sentences of each folder and kind; for measuring speed")
    parser.add_argument("--cap", type=int, default=CAP, help="tokens of the longest sentence that is parsed")
    arguments = parser.parse_args()

    pairs = {folder: read_pairs(arguments.data / folder) for folder in arguments.folder or ("wmt12", "wmt13")}
    stanford = Stanford(cap=arguments.cap, threads=arguments.threads)
    for kind, sentences in (("judged", judged), ("all", everything)):
        if kind == "all" and not arguments.all:
            break
        for folder, judgments in pairs.items():
            texts = list(dict.fromkeys(sentences(judgments)))[: arguments.limit]
            before = time.process_time()
            parsed = stanford.parse(texts, Progress(f"{folder}, {kind}", texts, stanford))
            _, counts = stanford.vectors(texts, parse=False)
            outcome = str(counts) or "all have vectors"
            if parsed:
                outcome += f"; {(time.process_time() - before) / parsed:.3f} seconds of a core each"
            print(f"{folder}, {kind}: {len(texts)} sentences, {parsed} of them parsed now; {outcome}", flush=True)


class Progress:
    """Lines on stderr: what is done of the whole, and the speed of this run."""

    def __init__(self, name: str, texts: list[str], stanford: Stanford) -> None:
        self.name, self.total, self.store = name, len(texts), stanford.store
        self.done, self.kept = 0, len(stanford.store)
        self.start = self.told = time.monotonic()

    def __call__(self, done: int) -> None:
        self.done += done
        now = time.monotonic()
        if now - self.told >= EVERY or self.done == self.total:
            new = len(self.store) - self.kept
            speed = new / max(now - self.start, 1e-9)
            print(
                f"{time.strftime('%H:%M:%S')} {self.name}: {self.done} of {self.total}, "
                f"{new} parsed in this run, {speed:.2f} a second",
                file=sys.stderr,
                flush=True,
            )
            self.told = now


if __name__ == "__main__":
    main()
