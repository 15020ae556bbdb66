"""Texts together with what people said of them: what every measure of agreement starts from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tercet.corpus.corpus import Corpus
from tercet.corpus.judgments import Judgments, OnMissing
from tercet.corpus.left_out import Skipped
from tercet.errors import InputError, OptionError


@dataclass(frozen=True)
class JudgedTexts:
    """One language pair: its texts, the judgments that go with them, and what was left out."""

    testset: str
    pair: str
    corpus: Corpus
    judgments: Judgments
    skipped: Skipped = field(default_factory=Skipped)

    def checked(self, on_missing: OnMissing) -> JudgedTexts:
        """The same with only the judgments that these texts allow."""
        kept, skipped = self.judgments.check(self.corpus.systems, len(self.corpus), on_missing=on_missing)
        return replace(self, judgments=kept, skipped=skipped)


def read_judged(
    corpus: Path,
    judgments: Path | None = None,
    *,
    pairs: Sequence[str] = (),
    human: str | None = None,
    level: str = "segment",
    references: Sequence[str] = (),
    on_missing: OnMissing = "error",
) -> list[JudgedTexts]:
    """The judged texts of a folder, a language pair each, in order.

    `corpus` is a WMT tree, a DA folder of parallel lines or an EvalSet of mt-metrics-eval; the latter two bring
    judgments along. `pairs` keeps some of them. `human` names the human scores of an EvalSet that has several, and
    `references` those of its references that are to be used.
    """
    from tercet.corpus.judgment_formats import read_judgments  # which build on this module
    from tercet.corpus.judgment_formats.da_lines import is_da_lines, read_da_lines
    from tercet.corpus.judgment_formats.evalset import evalset_pairs, is_evalset, read_evalset, read_evalset_judgments

    if not corpus.is_dir():
        raise InputError("is not a folder", file=corpus, remedy="--corpus takes a WMT tree, a DA folder or an EvalSet")
    if is_da_lines(corpus):
        if judgments is not None:
            raise OptionError(f"{corpus} holds its own judgments; leave --judgments out")
        found = list(read_da_lines(corpus).values())
    elif is_evalset(corpus):
        short = {"segment": "seg", "system": "sys"}[level]
        table = (
            read_judgments(judgments)
            if judgments is not None
            else read_evalset_judgments(corpus, name=human, level=short)
        )
        there = [pair for pair in evalset_pairs(corpus) if pair in table.pairs()]
        found = []
        for pair in _chosen(there, pairs, corpus):
            texts = read_evalset(corpus, pair)
            found.append(JudgedTexts(texts.testset, pair, texts.corpus(*references), table.of(pair)))
    else:
        if judgments is None:
            raise OptionError(f"{corpus} is a WMT tree, which holds no judgments; give them with --judgments FILE")
        found = _in_tree(corpus, read_judgments(judgments), judgments, pairs, on_missing)
    kept = [texts for texts in found if not pairs or texts.pair in pairs]
    _chosen([texts.pair for texts in found], pairs, judgments or corpus)
    return [texts.checked(on_missing) for texts in kept]


def _in_tree(
    corpus: Path, judgments: Judgments, file: Path, pairs: Sequence[str], on_missing: OnMissing
) -> list[JudgedTexts]:
    from tercet.corpus.wmt import read_plain

    tree = read_plain(corpus)
    found = []
    for pair in _chosen(judgments.pairs(), pairs, file):
        of_pair = judgments.of(pair)
        testsets = of_pair.testsets() or [testset for testset, other in tree if other == pair]
        for testset in testsets:
            if (testset, pair) not in tree:
                if on_missing == "error":
                    has = ", ".join(f"{testset} {pair}" for testset, pair in tree)
                    raise InputError(
                        f"no outputs for {testset} {pair}",
                        file=corpus,
                        remedy=f"it has {has}; --on-missing skip leaves such judgments out",
                    )
                continue
            part = of_pair.of(pair, testset) if of_pair.testsets() else of_pair
            found.append(JudgedTexts(testset, pair, tree[testset, pair], part))
        if not testsets and on_missing == "error":
            raise InputError(f"no outputs for {pair}", file=corpus, remedy="--on-missing skip leaves it out")
        if len(testsets) > 1 and not of_pair.testsets():
            raise InputError(
                f"the judgments of {pair} do not say whether they are of {' or '.join(testsets)}",
                file=file,
                remedy="give --corpus a tree with one test set",
            )
    if not found:
        raise InputError("none of the judged language pairs has outputs", file=corpus)
    return found


def _chosen(there: Sequence[str], wanted: Sequence[str], file: Path) -> list[str]:
    for pair in wanted:
        if pair not in there:
            raise InputError(f"has no judgments of {pair}", file=file, remedy=f"it has {', '.join(there)}")
    return [pair for pair in there if not wanted or pair in wanted]
