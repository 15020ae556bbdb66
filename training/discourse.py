"""Discourse trees: `python -m training.discourse --data DIR` trains, judges and writes discourse.npz.

It needs the weights of the tagger, the chunker, the clauses and the segmenter, and scikit-learn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from tercet import _native
from tercet.language import discourse
from tercet.language.discourse import MOST_UNITS, DiscourseParser, Span
from tercet.language.sequence import Integers
from training import rst
from training.arguments import parse, show
from training.card import card
from training.corpora import english
from training.layers import Layered, layers_of
from training.perceptron import SCALE, Trained, pack, save
from training.segmenter import Models, joined, prepare

_TEMPLATES = """
    ; word.left; word.left2; word.left-end; word.right; word.right2; word.right-end; word.before; word.after
    ; tag.left; tag.left-end; tag.right; tag.right2; tag.right-end; tag.before; tag.after
    ; word.left word.left2; word.right word.right2; tag.left tag.left2; tag.right tag.right2; word.left-end word.right
    ; tag.left-end tag.right; tag.left tag.right; word.left tag.right; tag.left word.right; word.left word.right
    ; clause.left; clause.right; clause.after; clause.left clause.right; clause.right tag.left-end
    ; clause.right word.right; clause.right clause.after; clause.left clause.right clause.after
    ; chunk.left; chunk.right; chunk.left chunk.right
    ; units.left units.right; edge; units.left units.right edge; size.left; size.right; size.left size.right
    ; verb.left; verb.right; verbtag.left verbtag.right; verbtag.left word.right; verbtag.right word.right
    ; verb.left clause.right; verb.left word.right; verb.left tag.right tag.right2; verbtag.left tag.left-end tag.right
    ; verbtag.left verbtag.right word.right; verbtag.right word.left; verbtag.left word.left
    ; inner.left; inner.right; inner.left word.right; word.right inner.right; word.after word.right; tag.after tag.right
    ; tag.left-end word.right units.right; word.right edge; clause.right edge units.right; word.left edge
    ; tag.after clause.right edge; word.before word.right; tag.before clause.left clause.right
"""
TEMPLATES = tuple(item.strip() for item in _TEMPLATES.split(";"))
MIN_COUNT, C = 3, 0.3


def columns_of(data: Layered, tag_names: Sequence[str]) -> list[Integers]:
    """What the parser reads: tag, chunk, clause label, verb or not."""
    verbal = np.array([name[0] == "V" or name == "MD" for name in tag_names], np.int32)
    return [data.columns[0], data.columns[1], data.columns[-1], verbal[data.columns[0]]]


def chosen(
    data: Layered, columns: Sequence[Integers], keep: Sequence[bool]
) -> tuple[list[tuple[str, ...]], list[Integers]]:
    """The sentences that are kept, and their part of the columns."""
    tokens = np.repeat(keep, [len(words) for words in data.words])
    return [words for words, kept in zip(data.words, keep, strict=True) if kept], [column[tokens] for column in columns]


def label_of(span: Span) -> str:
    assert span.relation is not None
    return " ".join(span.relation)


def targets(items: Iterable[rst.Discourse], number: dict[str, int]) -> Integers:
    """The label of each (begin, split, end), in the order of the native loops; the last number: no node."""
    result = []
    for item in items:
        assert item.tree is not None
        gold = {(span.start, span.children[0].end, span.end): number[label_of(span)] for span in item.tree.spans()}
        n = len(item.starts)
        result += [
            gold.get((begin, split, end), len(number))
            for begin in range(n)
            for split in range(begin + 1, n)
            for end in range(split + 1, n + 1)
        ]
    return np.array(result, np.int32)


def fit(items: list[rst.Discourse], words: list[tuple[str, ...]], columns: list[Integers]) -> Trained:
    """Multinomial logistic regression over all pairs of neighbouring spans."""
    counts = Counter(label_of(span) for item in items if item.tree for span in item.tree.spans())
    labels = sorted(counts)
    gold = targets(items, {label: i for i, label in enumerate(labels)})
    starts = np.array([start for item in items for start in item.starts], np.int32)
    sizes = np.array([len(item.starts) for item in items], np.int32)
    keys = _native.span_keys(list(TEMPLATES), words, np.array(columns, np.int32), starts, sizes).reshape(
        -1, len(TEMPLATES)
    )
    known, seen = np.unique(keys, return_counts=True)
    known = known[seen >= MIN_COUNT]
    matrix = one_hot(keys, known)
    model = LogisticRegression(C=C, max_iter=150, tol=1e-3).fit(matrix, gold)
    assert list(model.classes_) == list(range(len(labels) + 1))
    weights = (model.coef_ + 0.0).T  # (features, labels)
    bias = np.isin(known, keys[0, :1])  # the empty template is the intercept's place
    weights[bias] += model.intercept_
    flat = np.ascontiguousarray(weights)
    arrays = pack(
        known,
        np.arange(0, flat.size + 1, flat.shape[1]).astype(np.uint32),
        np.tile(np.arange(flat.shape[1], dtype=np.uint8), len(known)),
        flat.ravel() * (WEIGHT / SCALE),
        prune=4 / SCALE,
    )
    return Trained({"labels": labels, "templates": list(TEMPLATES), "scale": float(WEIGHT)}, arrays)


WEIGHT = 256  # a logit of 1 is 256


def one_hot(keys: NDArray[np.uint32], known: NDArray[np.uint32]) -> csr_matrix:
    """A row for each pair of spans, a column for each known key."""
    place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    rows, templates = np.nonzero(known[place] == keys)
    return csr_matrix((np.ones(len(rows), np.float32), (rows, place[rows, templates])), shape=(len(keys), len(known)))


Scored = set[tuple[object, ...]]


def constituents(tree: Span, starts: Sequence[int], length: int) -> dict[str, Scored]:
    """The inner nodes of a tree by what of them must be right, as ranges of tokens."""
    edges = [*starts, length]
    result: dict[str, Scored] = {"spans": set(), "nuclearity": set(), "relation": set(), "both": set()}
    for span in tree.spans():
        assert span.relation is not None
        where = (edges[span.start], edges[span.end])
        result["spans"].add(where)
        result["nuclearity"].add((*where, span.relation.nuclearity))
        result["relation"].add((*where, span.relation.name))
        result["both"].add((*where, *span.relation))
    return result


def agreement(gold: list[dict[str, Scored]], found: list[dict[str, Scored]]) -> str:
    """F1 of spans, nuclearity, relation, and both, over all inner nodes (Parseval; Morey et al. 2017)."""
    scores = []
    for what in ("spans", "nuclearity", "relation", "both"):
        right = sum(len(one[what] & two[what]) for one, two in zip(gold, found, strict=True))
        total = sum(len(one[what]) + len(two[what]) for one, two in zip(gold, found, strict=True))
        scores.append(f"{200 * right / total:.1f}")
    return " / ".join(scores)


def figures(
    parser: DiscourseParser,
    items: list[rst.Discourse],
    data: Layered,
    columns: list[Integers],
    found: Sequence[str],
    part: str,
) -> dict[str, str]:
    """F1 with the units given, over sentences of several; and with the segmenter's, which says B where one starts."""
    edges = np.cumsum([0, *map(len, data.words)]).tolist()
    own = [[0, *(i for i in range(1, last - first) if found[first + i] == "B")] for first, last in pairwise(edges)]
    result = {}
    for name, starts, least in (("given units", [item.starts for item in items], 2), ("own units", own, 1)):
        keep = [item.tree is not None and len(item.starts) >= least for item in items]
        words, kept_columns = chosen(data, columns, keep)
        kept_starts = [row for row, use in zip(starts, keep, strict=True) if use]
        trees = parser.parse(words, kept_starts, kept_columns)
        right = [
            constituents(item.tree, item.starts, len(item.sentence.words))
            for item, use in zip(items, keep, strict=True)
            if use and item.tree
        ]
        given = [
            constituents(tree, row, len(sentence))
            for tree, row, sentence in zip(trees, kept_starts, words, strict=True)
        ]
        result[f"GUM {part}, {name}: spans / nuclearity / relation / both, F1"] = agreement(right, given)
    return result


def main() -> None:
    arguments = parse("discourse")
    folder: Path = english(arguments.data)
    models = Models.load(arguments.output)
    parts = ("train",) if arguments.part == "dev" else ("train", "dev", "test2")
    items = [item for part in parts for item in rst.part(folder, part)]
    prepared = joined(prepare(folder, parts, models.tagger, models.chunker, noise=0).folds)
    keep = [item.tree is not None and 1 < len(item.starts) <= MOST_UNITS for item in items]
    words, columns = chosen(prepared, columns_of(prepared, models.tagger.labels), keep)
    model = fit([item for item, use in zip(items, keep, strict=True) if use], words, columns)

    held_out = rst.part(folder, arguments.part)
    data, found = models.segment([layers_of(item.sentence, item.starts) for item in held_out])
    parser = discourse.make(model.configuration, model.arrays)
    measured = figures(parser, held_out, data, columns_of(data, models.tagger.labels), found, arguments.part)
    show(measured)
    text = card(
        "discourse: trees of sentences",
        "Joins the elementary discourse units of an English sentence to a binary tree with relations (GUM's coarse "
        "classes) and nuclearity.",
        command=f"python -m training.discourse --data DIR --part {arguments.part}",
        method="Multinomial logistic regression over every pair of neighbouring spans (a relation with its nuclearity, "
        f"or no node), {len(TEMPLATES)} templates; the tree with the greatest product of probabilities by chart, after "
        f"Joty et al. (2012). At most {MOST_UNITS} units a chart. F1 is over inner nodes, the sentence's "
        "own included (Parseval).",
        data={
            "GUM": f"{', '.join(parts)} to train, {arguments.part} to test; "
            "sentences whose units form one subtree of the document."
        },
        figures=measured,
    )
    save("discourse", model, text, arguments.output)


if __name__ == "__main__":
    main()
