"""Why a verdict on a segment is what it is: features, words, edits, the nearest paraphrase, trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tercet import resources
from tercet.compare.comparison import Comparison
from tercet.compare.judges import Judge
from tercet.compare.matching import Matcher, Matching, looks_english, shown, words_of
from tercet.compare.words import group_of
from tercet.corpus import Corpus
from tercet.errors import OptionError
from tercet.metrics.ter import TER, Alignment
from tercet.rankers.attribution import Between

if TYPE_CHECKING:
    from tercet.language.trees import Tree
    from tercet.lattice.search import Match
    from tercet.metrics.hyter import HyTERA


@dataclass(frozen=True)
class Reason:
    """A feature, what it adds to the margin, and its value on either side (NaN if it is not a single number)."""

    feature: str
    group: str
    contribution: float
    first: float
    second: float


@dataclass(frozen=True)
class Side:
    """One of the two translations that are explained: its words, edits, nearest paraphrase and tree."""

    system: str
    text: str
    words: Matching
    edits: Alignment
    """TER's, to the reference that takes the fewest."""
    path: Match | None = None
    """HyTERA's; None where its tables are not installed or the text is not English."""
    tree: Tree | None = None


@dataclass(frozen=True)
class Explanation:
    """Why one of two systems is better in one segment."""

    segment: int
    """From 1."""
    source: str | None
    reference: str
    """The one of several that the translations match best."""
    reference_tree: Tree | None
    first: Side
    second: Side
    verdict: int
    """1 if the first is better, -1 if the second is, 0 for a tie."""
    probability: float
    margin: float
    kind: str
    """`model` or `metric`: whether the probability is one."""
    model: str
    reasons: tuple[Reason, ...]
    """Sorted by the size of their contributions, which sum to the margin."""

    @cached_property
    def groups(self) -> list[tuple[str, float]]:
        """Contributions by what features look at, the largest first."""
        total: dict[str, float] = {}
        for reason in self.reasons:
            total[reason.group] = total.get(reason.group, 0.0) + reason.contribution
        return sorted(total.items(), key=lambda item: -abs(item[1]))

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""

        def number(value: float) -> float | None:
            return value if value == value else None

        def side(one: Side) -> dict[str, Any]:
            found: dict[str, Any] = {
                "system": one.system,
                "text": one.text,
                "words": list(one.words.hypothesis),
                "links": [[link.hypothesis, link.reference, link.stage] for link in one.words.links],
                "missed": one.words.missed,
                "added": one.words.added,
                "edits": {
                    "count": one.edits.edits,
                    "shifts": [vars(shift) for shift in one.edits.shifts],
                    "operations": [vars(operation) for operation in one.edits.operations],
                },
            }
            if one.path is not None:
                steps = [{"edit": s.edit, "hypothesis": s.hypothesis, "path": s.path} for s in one.path.steps]
                found["hytera"] = {"edits": one.path.edits, "length": one.path.length, "steps": steps}
            if one.tree is not None:
                found["tree"] = str(one.tree)
            return found

        return {
            "segment": self.segment,
            "model": self.model,
            "source": self.source,
            "reference": self.reference,
            "reference_words": list(self.first.words.reference),
            "reference_tree": None if self.reference_tree is None else str(self.reference_tree),
            "verdict": {1: "first", 0: "tie", -1: "second"}[self.verdict],
            "probability": self.probability,
            "margin": self.margin,
            "groups": [{"name": name, "contribution": value} for name, value in self.groups],
            "reasons": [
                vars(reason) | {"first": number(reason.first), "second": number(reason.second)}
                for reason in self.reasons
            ],
            "first": side(self.first),
            "second": side(self.second),
        }


@dataclass
class _LookedAt:
    """The segment that was explained last: every pair of its translations asks for the same."""

    segment: int
    matchings: tuple[int, list[Matching]] | None = None
    edits: dict[str, tuple[int, Alignment]] = field(default_factory=dict)
    paths: dict[str, Match | None] = field(default_factory=dict)


_MOST_TREES = 5000  # that an explainer keeps: a reference is asked for with every pair of its translations


class Explainer:
    """Explains any segment of a comparison; what serves all segments is prepared once."""

    def __init__(self, corpus: Corpus, judge: Judge, comparison: Comparison) -> None:
        self.corpus, self.judge, self.comparison = corpus, judge, comparison
        self.english = looks_english(corpus.references)
        self.matcher = Matcher.for_references(corpus.references)
        self.ter = TER()
        self._trees: dict[str, Tree] = {}
        self._looked_at = _LookedAt(-1)

    @cached_property
    def contributions(self) -> Between:
        """What each feature adds, between any two systems."""
        systems = [list(texts) for texts in self.corpus.systems.values()]
        sources = None if self.corpus.sources is None else list(self.corpus.sources)
        return self.judge.contributions(systems, list(self.corpus.references), sources)

    @cached_property
    def hytera(self) -> HyTERA | None:
        """The metric that finds the nearest paraphrase, where it can be had."""
        if not self.english or resources.status("meteor").state != "installed":
            return None
        from tercet.metrics.hyter import HyTERA

        return HyTERA()

    def matchings(self, segment: int) -> tuple[int, list[Matching]]:
        """Which reference is matched best by all systems together, and each system's words against it.

        The segment is numbered from 0.
        """
        texts = [words_of(shown(system[segment])) for system in self.corpus.systems.values()]
        best: tuple[float, int, list[Matching]] | None = None
        for place, reference in enumerate(self.corpus.references[segment]):
            words = words_of(shown(reference))
            found = [self.matcher.match(text, words) for text in texts]
            total = sum(one.f1 for one in found)
            if best is None or total > best[0]:
                best = (total, place, found)
        assert best is not None
        return best[1], best[2]

    def edits(self, segment: int, system: str) -> tuple[int, Alignment]:
        """TER's fewest edits, and to which reference they lead."""
        text = shown(self.corpus.systems[system][segment])
        every = [self.ter.alignment(text, shown(one)) for one in self.corpus.references[segment]]
        place = min(range(len(every)), key=lambda i: every[i].edits)
        return place, every[place]

    def path(self, segment: int, system: str) -> Match | None:
        """The nearest paraphrase of the reference, and the edits to it; None where that cannot be had."""
        if self.hytera is None:
            return None
        return self.hytera.match(self.corpus.systems[system][segment], tuple(self.corpus.references[segment]))

    def trees(self, texts: Sequence[str]) -> list[Tree | None]:
        """Chunks and discourse of English texts."""
        if not self.english:
            return [None for _ in texts]
        from tercet.language import analyze

        known = self._trees  # of this call, whatever another thread puts in its place
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if len(known) + len(new) > _MOST_TREES:
            self._trees = known = {}
            new = list(dict.fromkeys(texts))
        known.update(zip(new, (analysis.tree() for analysis in analyze(new)), strict=True))
        return [known[text] for text in texts]

    def _of(self, row: int, *systems: str) -> _LookedAt:
        seen = self._looked_at
        if seen.segment != row:
            seen = _LookedAt(row, self.matchings(row))
            self._looked_at = seen
        for system in systems:
            if system not in seen.edits:
                seen.paths[system] = self.path(row, system)
                seen.edits[system] = self.edits(row, system)
        return seen

    def explain(self, segment: int, first: str, second: str) -> Explanation:
        """The reasons for the verdict on one segment, numbered from 1."""
        if not 1 <= segment <= len(self.corpus):
            raise OptionError(f"there is no segment {segment}; the corpus has 1 to {len(self.corpus)}")
        systems = list(self.corpus.systems)
        for name in (first, second):
            if name not in systems:
                raise OptionError(f"there is no system {name!r}; there are {', '.join(systems)}")
        if first == second:
            raise OptionError(f"{first!r} against itself has no verdict; name two systems")
        row, numbers = segment - 1, (systems.index(first), systems.index(second))
        seen = self._of(row, first, second)
        assert seen.matchings is not None
        place, matchings = seen.matchings
        reference = shown(self.corpus.references[row][place])
        texts = [shown(self.corpus.systems[name][row]) for name in (first, second)]
        trees = self.trees([reference, *texts])
        sides = [
            Side(name, text, matchings[number], seen.edits[name][1], seen.paths[name], tree)
            for name, text, number, tree in zip((first, second), texts, numbers, trees[1:], strict=True)
        ]
        found = self.contributions(*numbers)
        reasons = [
            Reason(name, group_of(name), *(float(of[row, i]) for of in (found.values, found.first, found.second)))
            for i, name in enumerate(found.names)
        ]
        turned = (first, second) not in self.comparison.margins
        key, sign = ((second, first), -1) if turned else ((first, second), 1)
        chance = float(self.comparison.probabilities[key][row])
        return Explanation(
            segment=segment,
            source=None if self.corpus.sources is None else shown(self.corpus.sources[row]),
            reference=reference,
            reference_tree=trees[0],
            first=sides[0],
            second=sides[1],
            verdict=sign * int(self.comparison.verdicts[key][row]),
            probability=1 - chance if turned else chance,
            margin=sign * float(self.comparison.margins[key][row]),
            kind=self.comparison.kind,
            model=self.comparison.model,
            reasons=tuple(sorted(reasons, key=lambda reason: -abs(reason.contribution))),
        )
