"""`python -m training.syntax_signal --data DIR`: what `syntax25` says about people's judgments.

Strict tau × 100 by five-fold cross-validation, on WMT13 fr-en, where designs are compared, or with `--test` on WMT12,
which is reported. The folds are by segment: no reference is on both sides. A fifth of each training part is held out by
segment for validation.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time

import numpy as np

from tercet.features import sentence_vectors
from tercet.features.cache import FeatureCache
from tercet.language import english, syntax
from tercet.language.pipeline import english_pipeline
from tercet.rankers.base import strict_tau
from tercet.rankers.data import read_pairs
from tercet.rankers.fitting import fit_tables, taus_by_pair, test_margins
from tercet.rankers.inputs import FeatureSpecs, Inputs
from tercet.rankers.network import NetworkOptions
from tercet.rankers.pairs import Pairs
from tercet.rankers.tables import Tables
from tercet.reproduce.protocols import SPLIT_SEED, Folds

ROWS = {
    "SYNTAX25, network": FeatureSpecs((), ("syntax25",)),
    "SYNTAX25, flat": FeatureSpecs((), ("syntax25",)),
    "4METRICS, flat": FeatureSpecs(("4metrics",), ()),
    "4METRICS+SYNTAX25, network": FeatureSpecs(("4metrics",), ("syntax25",)),
    "4METRICS+SYNTAX25, flat": FeatureSpecs(("4metrics",), ("syntax25",)),
}


def well_formed(pairs: Pairs, cache: FeatureCache) -> np.ndarray:
    """Margins by how well-formed each translation is, without its reference and without any training on judgments."""
    network, vectors = syntax.syntax_network(), sentence_vectors("syntax25")
    margins = np.empty(len(pairs))
    for number, one in enumerate(pairs.texts):
        table = np.stack(
            [network.well_formed(cache.encode(vectors, list(texts))) for texts in one.corpus.systems.values()]
        )
        chosen = pairs.text == number
        segment = pairs.segment[chosen]
        margins[chosen] = table[pairs.first[chosen], segment] - table[pairs.second[chosen], segment]
    return margins


def cross_validated(judged: Pairs, specs: FeatureSpecs, options: NetworkOptions, cache: FeatureCache) -> np.ndarray:
    """Margins of all untied pairs, (seeds, pairs), each from the training that did not see its segment."""
    protocol = Folds(judged, judged.untied())
    inputs = Inputs(specs, cache)
    tables = Tables.of(inputs, judged.texts)
    margins = np.full((options.seeds, len(protocol.test)), np.nan)
    for split in protocol.splits():
        fitted = fit_tables(inputs, options, tables, split.train, tables, split.validation)
        margins[:, split.places] = test_margins(fitted, tables, protocol.test.where(split.places))
    return margins


def linear(judged: Pairs, cache: FeatureCache) -> dict[str, np.ndarray]:
    """Margins by logistic regression on differences of features, over the same folds: seconds in place of minutes.

    x1 - x2 knows no reference; |x1 - xr| - |x2 - xr| says which translation is built more like the reference.
    """
    from sklearn.linear_model import LogisticRegression

    test = judged.untied()
    tables = Tables.of(Inputs(FeatureSpecs(("4metrics",), ()), cache), judged.texts).texts
    metrics = np.concatenate(
        [
            one.similarity[0, test.first[chosen], test.segment[chosen]]
            - one.similarity[0, test.second[chosen], test.segment[chosen]]
            for number, one in enumerate(tables)
            for chosen in [test.text == number]
        ]
    )
    assert (np.diff(test.text) >= 0).all(), "pairs stand in the order of their texts"
    first, second, reference = [], [], []
    for text, segment, one, other in zip(test.text, test.segment, test.first, test.second, strict=True):
        corpus = test.texts[text].corpus
        systems = list(corpus.systems.values())
        first.append(systems[one][segment])
        second.append(systems[other][segment])
        reference.append(corpus.references[segment][0])
    place = {text: i for i, text in enumerate(dict.fromkeys(first + second + reference))}
    vectors = sentence_vectors("syntax25").encode(list(place))  # only of what was judged
    x1, x2, xr = (vectors[[place[text] for text in side]] for side in (first, second, reference))
    own, likeness = x1 - x2, np.abs(x1 - xr) - np.abs(x2 - xr)
    sets = {
        "SYNTAX25, x1 - x2": [own],
        "SYNTAX25, also |x1 - xr| - |x2 - xr|": [own, likeness],
        "4METRICS": [metrics],
        "4METRICS+SYNTAX25, x1 - x2": [metrics, own],
        "4METRICS+SYNTAX25, both": [metrics, own, likeness],
    }
    found = {}
    for name, parts in sets.items():
        features = np.concatenate(parts, axis=1)
        margins = np.full(len(test), np.nan)
        for rest, fold in test.folds(5, SPLIT_SEED):
            held = np.isin(test.groups, np.unique(fold.groups))
            rows = features / features[~held].std(axis=0)
            model = LogisticRegression(fit_intercept=False).fit(rows[~held], rest.value > 0)
            margins[held] = rows[held] @ model.coef_[0]
        found[name] = margins
    return found


def line(margins: np.ndarray, test: Pairs) -> str:
    """Mean and standard deviation over seeds of the tau, and the mean tau of each language pair."""
    taus = [taus_by_pair(one, test) for one in np.atleast_2d(margins)]
    means = {name: 100 * np.mean([one[name] for one in taus]) for name in taus[0]}
    spread = 100 * np.std([one["mean"] for one in taus], ddof=1) if len(taus) > 1 else 0.0
    pairs = "  ".join(f"{name} {tau:.2f}" for name, tau in means.items() if name != "mean")
    return f"{means['mean']:6.2f} ± {spread:.2f}   ({pairs})"


def speed(texts: list[str]) -> str:
    """Sentences in a second of one core's time: tokens, tags and chunks, and the network after them."""
    network, pipeline = syntax.syntax_network(), english_pipeline()
    network.encode(texts[:50])
    start = process_time()
    columns = syntax.read_columns([english.tokens(text) for text in texts], network.vocabulary, pipeline)
    between = process_time()
    network.apply(columns)
    end = process_time()
    words, ratio = int(columns.ends[-1]) / len(texts), (end - between) / (between - start)
    return (
        f"{len(texts):,} sentences of {words:.1f} words: analysis {len(texts) / (between - start):,.0f} a second, "
        f"network after it {len(texts) / (end - between):,.0f}, which is {ratio:.2f} of the analysis's time"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.syntax_signal")
    parser.add_argument("--data", type=Path, required=True, help="folder that holds wmt12/ and wmt13/")
    parser.add_argument("--test", action="store_true", help="WMT12 in place of WMT13 fr-en")
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--learning-rate", type=float, default=0.1)
    parser.add_argument("--rows", nargs="+", choices=[*ROWS, "well-formed"], default=["well-formed", *ROWS])
    parser.add_argument("--linear", action="store_true", help="logistic regression on differences, in seconds")
    parser.add_argument("--speed", action="store_true", help="measure the speed and nothing else; pin it to one core")
    arguments = parser.parse_args()
    cache = FeatureCache.default()
    judged = read_pairs(arguments.data / "wmt12") if arguments.test else read_pairs(arguments.data / "wmt13", ["fr-en"])
    if arguments.speed:
        print(speed([text for one in judged.texts for text in next(iter(one.corpus.systems.values()))]))
        return
    test = judged.untied()
    print(f"{'WMT12' if arguments.test else 'WMT13 fr-en'}, {len(test):,} pairs, strict tau × 100", flush=True)
    if arguments.linear:
        for name, margins in linear(judged, cache).items():
            print(f"{name + ', logistic regression':60}{line(margins, test)}", flush=True)
        return
    for name in arguments.rows:
        if name == "well-formed":
            margins = well_formed(test, cache)
            agree = 50 + 50 * strict_tau(margins, test.value.astype(np.float64))
            print(
                f"{'how well-formed, nothing learned from judgments':50}{line(margins, test)}; {agree:.2f} % of pairs"
            )
            continue
        options = NetworkOptions(
            hidden=0 if name.endswith("flat") else 4,
            epochs=arguments.epochs,
            seeds=arguments.seeds,
            learning_rate=arguments.learning_rate,
        )
        print(f"{name:50}{line(cross_validated(judged, ROWS[name], options, cache), test)}", flush=True)


if __name__ == "__main__":
    main()
