"""Which features and settings the models `lite` and `base` have, chosen on WMT13 fr-en alone.

`python -m training.default_choice --data DIR [--kept FILE] [--only WORD ...]` prints strict tau × 100 of every
candidate on segments that its training did not see, five folds by segment. Nothing of WMT12 is read, and the direct
assessments only by the candidates that learn from them, never to measure anything. With `--kept` a run that was broken
off goes on where it was.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from tercet.corpus.judged import JudgedTexts
from tercet.features.cache import FeatureCache
from tercet.rankers.assessed import Assessed
from tercet.rankers.base import strict_tau
from tercet.rankers.data import read_pairs
from tercet.rankers.fitting import fit_tables, test_margins
from tercet.rankers.inputs import FeatureSpecs, Inputs
from tercet.rankers.network import NetworkOptions
from tercet.rankers.pairs import Pairs
from tercet.rankers.recipe import find_recipe, read_recipe
from tercet.rankers.tables import Tables
from tercet.rankers.trainer import read_assessed
from tercet.tables import Table

FOLDS, SEED, VALIDATION = 5, 1, 5000

LEXICAL = ("beer57", "bleu", "ter:case_sensitive=true", "meteor:tables=none", "chrf++")
SOFT, TREE = "softmatch", "syntax25"
LAST, LAST_DETAILS = "context:layers=6", "context:layers=6,details=true"
TWO_DETAILS = "context:layers=5+6,details=true"
ASSESSED = "and direct assessments"
FLAT = NetworkOptions(form="antisymmetric", hidden=0, learning_rate=0.1, l2=0.04, batch=128, epochs=10, seeds=1)


def _specs(*similarity: str, vectors: tuple[str, ...] = (), between: tuple[str, ...] = ()) -> FeatureSpecs:
    return FeatureSpecs(similarity=similarity, vectors=vectors, between=between)


_LITE = _specs(*LEXICAL, SOFT, vectors=(TREE,))
_BASE = _specs(*LEXICAL, SOFT, TWO_DETAILS, vectors=(TREE,))
CANDIDATES: Mapping[str, tuple[FeatureSpecs, NetworkOptions]] = {
    "strings: beer57": (_specs("beer57"), FLAT),
    "strings: lexical": (_specs(*LEXICAL), FLAT),
    "strings: lexical, softmatch": (_specs(*LEXICAL, SOFT), FLAT),
    "strings: lexical, softmatch between too, 4 hidden": (
        _specs(*LEXICAL, SOFT, between=(SOFT,)),
        replace(FLAT, hidden=4),
    ),
    "strings: lexical, syntax25": (_specs(*LEXICAL, vectors=(TREE,)), FLAT),
    "strings: lexical, softmatch, syntax25": (_LITE, FLAT),
    "strings: lexical, softmatch, syntax25, 4 hidden": (_LITE, replace(FLAT, hidden=4)),
    "strings: lexical, softmatch, syntax25, l2 0.16": (_LITE, replace(FLAT, l2=0.16)),
    "strings: lexical, softmatch, syntax25, l2 0.01": (_LITE, replace(FLAT, l2=0.01)),
    "strings: lexical, softmatch, syntax25, rate 0.03": (_LITE, replace(FLAT, learning_rate=0.03)),
    f"strings: lexical, softmatch, syntax25, {ASSESSED}": (_LITE, FLAT),
    "encoder: lexical, details of layers 5, 6": (_specs(*LEXICAL, TWO_DETAILS), FLAT),
    "encoder: lexical, details of layers 5, 6, syntax25": (_specs(*LEXICAL, TWO_DETAILS, vectors=(TREE,)), FLAT),
    "encoder: lexical, softmatch, details of layers 5, 6, syntax25": (_BASE, FLAT),
    "encoder: the same, l2 0.16": (_BASE, replace(FLAT, l2=0.16)),
    "encoder: the same, l2 0.01": (_BASE, replace(FLAT, l2=0.01)),
    "encoder: the same, rate 0.03": (_BASE, replace(FLAT, learning_rate=0.03)),
    f"encoder: the same, {ASSESSED}": (_BASE, FLAT),
    "encoder: lexical, context of layer 6": (_specs(*LEXICAL, LAST), FLAT),
    "encoder: lexical, details of layer 6": (_specs(*LEXICAL, LAST_DETAILS), FLAT),
    "encoder: lexical, context of layer 6 between too, 4 hidden": (
        _specs(*LEXICAL, LAST, between=(LAST,)),
        replace(FLAT, hidden=4),
    ),
}


def tau(
    pairs: Pairs,
    specs: FeatureSpecs,
    options: NetworkOptions,
    cache: FeatureCache,
    assessed: Sequence[JudgedTexts] = (),
) -> float:
    """Strict tau × 100 over all pairs, each decided by the network that did not see its segment."""
    inputs = Inputs(specs, cache)
    also = Assessed.of(inputs, assessed) if assessed else None
    tables = Tables.of(inputs, pairs.texts, judged=[pairs])  # ties too, as in the training of the models
    pairs = pairs.untied()
    agreed = np.empty(len(pairs))
    for fold in range(FOLDS):
        rest, held = list(pairs.folds(FOLDS, SEED))[fold]
        training, validation = rest.hold_out(VALIDATION, SEED)
        fitted = fit_tables(inputs, options, tables, training, tables, validation, also=also)
        agreed[_places(pairs, held)] = test_margins(fitted, tables, held).mean(axis=0)
    return 100 * strict_tau(agreed, pairs.value.astype(np.float64))


def _places(pairs: Pairs, part: Pairs) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Where the pairs of some whole segments stand among all."""
    return np.flatnonzero(np.isin(pairs.groups, part.groups))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.default_choice")
    parser.add_argument("--data", type=Path, required=True, help="folder that holds wmt13/")
    parser.add_argument("--kept", type=Path, help="file for results, to go on from")
    parser.add_argument("--only", nargs="*", default=[], help="candidates whose names hold one of these words")
    arguments = parser.parse_args()
    pairs = read_pairs(arguments.data / "wmt13", ["fr-en"])
    kept: dict[str, float] = {}
    if arguments.kept is not None and arguments.kept.is_file():
        kept = {entry["name"]: entry["tau"] for entry in map(json.loads, arguments.kept.read_text().splitlines())}
    table = Table(["features and settings", "columns", "tau × 100, WMT13 fr-en"], text_columns=(0,))
    for name, (specs, options) in CANDIDATES.items():
        if arguments.only and not any(word in name for word in arguments.only):
            continue
        if name not in kept:
            assessed = read_assessed(read_recipe(find_recipe("lite")).assessed, arguments.data)
            used = assessed if name.endswith(ASSESSED) else ()
            kept[name] = tau(pairs, specs, options, FeatureCache.default(), used)
            if arguments.kept is not None:
                with arguments.kept.open("a") as file:
                    print(json.dumps({"name": name, "tau": kept[name]}), file=file)
        vectors, source, similarity, between = Inputs(specs).sizes
        table.add(name, str(vectors + source + similarity + between), f"{kept[name]:.2f}")
    print(table.render("markdown"), end="")


if __name__ == "__main__":
    main()
