"""`python -m training.encoder.ablation --data DIR --encoder FILE`: what the encoder adds to other features.

Logistic regression on the differences of standardized features (the form of the model `base`), cross-fitted on `wmt12/`
in five folds by segment: no reference is on both sides. FILE has to be of an encoder that has not seen `wmt12/`, as
that of recipes/wmt13.yaml: then no feature, learned from or tested, comes from an encoder that saw its segment.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tercet.features.registry import feature_set
from tercet.rankers.judged_data import read_judged_folder
from training.encoder.figures import Scored, interval, mean, number_of, rows_of

LEXICAL = ("beer57", "bleu", "ter:case_sensitive=true", "chrf", "chrf:word_order=2")
FOLDS, SEED, TEST = 5, 1, "wmt12"
Array = NDArray[np.float64]


def differences(specs: tuple[str, ...], data: Path) -> tuple[Array, list[Scored]]:
    """Features of the first less those of the second, for every comparison that somebody won, and who won it."""
    sets = [feature_set(spec) for spec in specs]
    found, tables = [], []
    for texts in read_judged_folder(data / TEST):
        frame = texts.judgments.of_segments().untied().frame
        segments = frame["segment"].to_list()
        parts = []
        for one in sets:
            rows = rows_of(texts, one)
            first = [rows[key] for key in zip(frame["system"].to_list(), segments, strict=True)]
            second = [rows[key] for key in zip(frame["other"].to_list(), segments, strict=True)]
            parts.append(np.array(first) - np.array(second))
        found.append(np.concatenate(parts, axis=1))
        references = [number_of(TEST, tuple(texts.corpus.references[segment])) for segment in segments]
        value = np.sign(frame["value"].to_numpy().astype(np.float64))
        none = np.zeros(len(value))
        tables.append(Scored(texts.pair, "comparison", np.array(references), value, none, none.astype(int), none))
    return np.concatenate(found), tables


def cross_fitted(specs: tuple[str, ...], data: Path) -> list[Scored]:
    """Margins of every comparison by a regression that did not see its segment."""
    from dataclasses import replace

    from sklearn.linear_model import LogisticRegression

    apart, tables = differences(specs, data)
    reference = np.concatenate([one.reference for one in tables])
    human = np.concatenate([one.human for one in tables])
    order = np.random.default_rng(SEED).permutation(reference.max() + 1)
    margins = np.full(len(human), np.nan)
    for fold in range(FOLDS):
        held = order[reference] % FOLDS == fold
        scale = apart[~held].std(axis=0)
        rows = apart / np.where(scale > 0, scale, 1)
        # both ways round, so that no place is the winner's
        model = LogisticRegression(fit_intercept=False, C=0.01, max_iter=500)
        model.fit(np.concatenate([rows[~held], -rows[~held]]), np.concatenate([human[~held], -human[~held]]))
        margins[held] = rows[held] @ model.coef_[0]
    ends = np.cumsum([len(one.human) for one in tables])[:-1]
    return [replace(one, ours=part) for one, part in zip(tables, np.split(margins, ends), strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.encoder.ablation", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds wmt12/")
    parser.add_argument("--encoder", type=Path, required=True, help="adapters that have not seen wmt12/")
    arguments = parser.parse_args()
    tuned = f"context:encoder={arguments.encoder}"
    rows: dict[str, tuple[str, ...]] = {
        "lexical": LEXICAL,
        "lexical, METEOR": (*LEXICAL, "meteor"),
        "published encoder": ("context",),
        "tuned encoder": (tuned,),
        "lexical, METEOR, published": (*LEXICAL, "meteor", "context"),
        "lexical, METEOR, tuned": (*LEXICAL, "meteor", tuned),
        "lexical, METEOR, both encoders": (*LEXICAL, "meteor", "context", tuned),
    }
    tables = {name: cross_fitted(specs, arguments.data) for name, specs in rows.items()}
    print("wmt12, strict tau × 100; in brackets the difference to the line of the published encoder with METEOR")
    against = tables["lexical, METEOR, published"]
    for name, table in tables.items():
        pairs = "  ".join(f"{one.pair} {one.statistic():.2f}" for one in table)
        low, high = interval(table, against)
        print(f"{name:34}{mean(table):6.2f}   ({pairs})   {mean(table) - mean(against):+.2f} [{low:+.2f}, {high:+.2f}]")


if __name__ == "__main__":
    main()
