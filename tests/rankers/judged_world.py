"""A small world in which it is known who is better: systems that spoil more or fewer words of a reference."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
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


_LANGUAGES = {"cs": "Czech", "de": "German", "en": "English"}


def write_tree(folder: Path, judged: Sequence[JudgedTexts]) -> None:
    """The WMT tree of judged texts, with comparisons or assessments of segments in CSV files like WMT's."""
    (folder / "references").mkdir(parents=True)
    compared = ["srclang,trglang,srcIndex,segmentId,judgeId,system1Id,system1rank,system2Id,system2rank"]
    assessed = ["LP DATA SYSTEM SID HUMAN"]
    for one in judged:
        source, target = one.pair.split("-")
        outputs = folder / "system-outputs" / one.testset / one.pair
        outputs.mkdir(parents=True)
        reference = folder / "references" / f"{one.testset}-{source}{target}-ref.{target}"
        reference.write_text("".join(f"{texts[0]}\n" for texts in one.corpus.references), "utf-8")
        for name, lines in one.corpus.systems.items():
            (outputs / f"{one.testset}.{name}.{one.pair}").write_text("".join(f"{line}\n" for line in lines), "utf-8")
        for row in one.judgments.frame.rows(named=True):
            number = row["segment"] + 1
            if one.judgments.kind == "assessment":
                assessed.append(f"{one.pair} {one.testset} {row['system']} {number} {row['value']}")
                continue
            ranks = {1: (1, 2), 0: (1, 1), -1: (2, 1)}[int(row["value"])]
            languages = f"{_LANGUAGES[source]},{_LANGUAGES[target]}"
            systems = f"{row['system']},{ranks[0]},{row['other']},{ranks[1]}"
            compared.append(f"{languages},{number},{number},judge,{systems}")
    for name, rows in (("judgments.csv", compared), ("DA-seglevel.csv", assessed)):
        if len(rows) > 1:
            (folder / name).write_text("\n".join(rows) + "\n", "utf-8")
