"""A small world in which it is known who is better: systems that spoil more or fewer words of a reference."""

from __future__ import annotations

from random import Random

import polars as pl

from tercet.corpus import Corpus
from tercet.corpus.judged import JudgedTexts
from tercet.corpus.judgments import Judgments

WORDS = [
    *("the", "old", "house", "stands", "on", "a", "green", "hill", "near", "water"),
    *("where", "small", "birds", "sing", "every", "quiet", "morning", "in", "spring"),
]


def texts(
    segments: int = 40, *, kind: str = "comparison", systems: int = 4, seed: int = 1, pair: str = "cs-en"
) -> JudgedTexts:
    """System k spoils k words in ten; people prefer, or score higher, what is spoilt less."""
    random = Random(f"{seed} {pair}")
    references = [" ".join(random.choices(WORDS, k=random.randrange(8, 16))) for _ in range(segments)]
    names = [f"system{k}" for k in range(systems)]
    spoilt: dict[str, list[float]] = {name: [] for name in names}
    outputs: dict[str, list[str]] = {name: [] for name in names}
    for reference in references:
        for k, name in enumerate(names):
            words = reference.split()
            chosen = [i for i in range(len(words)) if random.random() < 0.1 * (k + 1)]
            for i in chosen:
                words[i] = "blah"
            outputs[name].append(" ".join(words))
            spoilt[name].append(len(chosen) / len(words))
    rows = []
    for segment in range(segments):
        if kind == "assessment":
            rows += [(segment, name, None, -spoilt[name][segment]) for name in names]
            continue
        for i, first in enumerate(names):
            for second in names[i + 1 :]:
                difference = spoilt[second][segment] - spoilt[first][segment]
                rows.append((segment, first, second, float((difference > 0) - (difference < 0))))
    frame = pl.DataFrame(rows, schema=["segment", "system", "other", "value"], orient="row")
    frame = frame.with_columns(pl.lit("news").alias("testset"), pl.lit(pair).alias("pair"))
    corpus = Corpus(references=[(text,) for text in references], systems=outputs)
    return JudgedTexts("news", pair, corpus, Judgments.make(kind, frame))  # type: ignore[arg-type]
