"""HyTER (Dreyer & Marcu 2012) and HyTERA (Apidianaki et al. 2018): edits to the nearest of very many paraphrases."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Self

from tercet.errors import OptionError, ShapeError
from tercet.language import tokenizers
from tercet.language.skipgram import SkipGram
from tercet.lattice.addcos import AddCos, vectors_named
from tercet.lattice.automaton import Edge, Lattice
from tercet.lattice.building import Builder
from tercet.lattice.files import digest, read_lattices
from tercet.lattice.paraphrase_files import OnMissing
from tercet.lattice.search import WIDEST_WINDOW, Match, Normalizer, Search
from tercet.lattice.sources import meteor_tables, parse_sources
from tercet.lattice.text import Wording
from tercet.metrics.base import Array, Metric, ratio
from tercet.metrics.registry import register
from tercet.signature import Signature

KEPT_LATTICES = 20_000
"""Lattices are kept for the next system; when there are more than this, they are made anew."""


@dataclass(frozen=True, kw_only=True)
class LatticeMetric(Metric):
    """Edits by length, at the path of the reference's lattice for which that ratio is lowest (HyTERA, eq. 1)."""

    normalize: Normalizer = "reference"
    """Edits are divided by the path's length, as both papers do, by both lengths together, or by the longer."""
    window: int = 0
    """The hypothesis may be reordered within this many words, at no cost."""
    lowercase: bool = True
    tokenize: tokenizers.Tokenizer = "13a"
    clitics: bool = True
    """English clitics are words of their own (it 's), as the Moses tokenizer has it."""
    punctuation: bool = True
    """False leaves punctuation out on both sides."""

    higher_is_better = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.window <= WIDEST_WINDOW:
            raise OptionError(f"{self.name}: window={self.window} is not allowed; it takes 0 to {WIDEST_WINDOW}")

    @property
    def statistic_names(self) -> tuple[str, ...]:
        return ("edits", "length")

    @abstractmethod
    def lattice(self, references: tuple[str, ...]) -> Lattice:
        """The lattice of a segment's references."""

    def statistics(self, hypotheses: Sequence[str], references: Sequence[tuple[str, ...]]) -> Array:
        known: dict[tuple[str, ...], int] = {}
        which = [known.setdefault(texts, len(known)) for texts in references]
        texts = [" ".join(words) for words in self._wording.words(hypotheses)]
        return self._search.distances(texts, [self.lattice(one) for one in known], which)

    def score(self, statistics: Array) -> Array:
        edits, length = statistics[..., 0], statistics[..., 1]
        return 100 * ratio(edits, length, when_empty=edits > 0)

    def match(self, hypothesis: str, references: tuple[str, ...]) -> Match:
        """The path that a hypothesis is scored by, and every edit."""
        return self.match_in(hypothesis, self.lattice(references))

    def match_in(self, hypothesis: str, lattice: Lattice) -> Match:
        """The path of any lattice that a hypothesis would be scored by."""
        [words] = self._wording.words([hypothesis])
        return self._search.match(" ".join(words), lattice)

    def by(self, normalize: Normalizer) -> Self:
        """The same metric by another normaliser; the lattices that it has made are shared."""
        return replace(self, normalize=normalize)

    @property
    def _wording(self) -> Wording:
        return Wording(
            lowercase=self.lowercase, tokenize=self.tokenize, clitics=self.clitics, punctuation=self.punctuation
        )

    @property
    def _search(self) -> Search:
        return Search(normalize=self.normalize, window=self.window)

    def _signed(self, **items: str | bool | None) -> Signature:
        return Signature.of(
            self.label, **self._wording.items(), norm=self.normalize, window=self.window or None, **items
        )


@register("hytera", aliases={"hytera-all": {"filtered": False}})
@dataclass(frozen=True, kw_only=True)
class HyTERA(LatticeMetric):
    """HyTER with lattices made from the references: content words and phrases have their paraphrases beside them.

    The paper's own setting, as far as its sources can be had, is `multiword=false`.
    """

    sources: str = "synonyms+inflections+meteor"
    """Names of sources or files of paraphrases, joined by +; each may be followed by >= and its lowest score."""
    filtered: bool = True
    """Sources without a threshold of their own get the usual one (allParsFiltered), else none (allPars)."""
    multiword: bool = True
    """Phrases too have paraphrases, not only single words."""
    content: bool = True
    """Function words are left as they are."""
    tags: bool = True
    """Pairs that a table gives for a part of speech are used only for words that our tagger gives the same tag."""
    vectors: str = "shipped"
    """Skip-gram vectors for AddCos in filtered lattices: shipped with the package, a file, glove-6b-50d, or none."""
    addcos: float = 0.0
    """The lowest AddCos of a single word's substitute, in filtered lattices."""
    context: int = 1
    """Words on each side that AddCos looks at."""
    unknown: bool = True
    """Substitutes without a vector are kept."""
    inflection: bool = True
    """In filtered lattices a substitute has the tag of the word, where the vectors' file has tags."""
    on_missing: OnMissing = "error"
    """Broken lines in a file of paraphrases are an error; skip leaves them out, with a warning."""

    _lattices: dict[tuple[str, ...], Lattice] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def label(self) -> str:
        return "HyTERA"

    @property
    def signature(self) -> Signature:
        builder = self._builder
        return self._signed(
            sources="+".join(source.signature for source in builder.sources) or "none",
            words="single" if not self.multiword else "multi",
            content=self.content,
            tags=None if builder.tagger is None else True,
            addcos=None if self._addcos is None else self._addcos.signature,
        )

    def by(self, normalize: Normalizer) -> Self:
        other = super().by(normalize)
        object.__setattr__(other, "_lattices", self._lattices)
        return other

    def lattice(self, references: tuple[str, ...]) -> Lattice:
        found = self._lattices.get(references)
        if found is None:
            if len(self._lattices) >= KEPT_LATTICES:
                self._lattices.clear()
            found = Lattice.union([self._builder.lattice(words) for words in self._wording.words(references)])
            self._lattices[references] = found
        return found

    @cached_property
    def _builder(self) -> Builder:
        sources = parse_sources(self.sources, filtered=self.filtered, on_missing=self.on_missing)
        tagged = any(source.index.tagged for source in sources)
        judged = self._addcos is not None and self._addcos.inflection
        return Builder(
            sources,
            multiword=self.multiword,
            function_words=meteor_tables().function_words["english"] if self.content else (),
            substitutes=self._addcos,
            tagger=_tags if self.tags and (tagged or judged) else None,
        )

    @cached_property
    def _addcos(self) -> AddCos | None:
        if not self.filtered or self.vectors == "none":
            return None
        vectors = _vectors(self.vectors)
        return AddCos(
            vectors,
            lowest=self.addcos,
            window=self.context,
            unknown=self.unknown,
            inflection=self.inflection and self.tags,
        )


def _tags(words: Sequence[str]) -> list[str]:
    from tercet.language.pipeline import english_pipeline

    if not words:
        return []
    tagger = english_pipeline().tagger
    return tagger.names(tagger.label([tuple(words)]))


@cache
def _vectors(name: str) -> SkipGram:
    return vectors_named(name)


@register("hyter")
@dataclass(frozen=True, kw_only=True)
class HyTER(LatticeMetric):
    """HyTER with lattices that were made by hand: one for each segment, beside the references or in their stead.

    `hyter:lattices=PATH` names JSON lines, a folder of OpenFst text files in the order of their names, or such a file.
    Their words are put in lower case if `lowercase` says so, and are otherwise taken as they are.
    Without it the references themselves are the lattice, and the metric is the word error rate.
    """

    lattices: str | None = None
    references: bool = False
    """The references count as further paths."""

    _given: tuple[Lattice, ...] | None = field(default=None, init=False, repr=False, compare=False)
    _place: dict[tuple[str, ...], int] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.lattices is not None:
            given = read_lattices(Path(self.lattices))
            object.__setattr__(self, "_given", tuple(map(_lowercased, given) if self.lowercase else given))

    @property
    def label(self) -> str:
        return "HyTER"

    @property
    def whole_set(self) -> bool:
        return self._given is not None  # the n-th lattice is that of the n-th segment

    @property
    def signature(self) -> Signature:
        given = None if self._given is None else digest(self._given)[:12]
        return self._signed(lattices=given or "references", refs=self.references if given else None)

    def for_references(self, references: Sequence[tuple[str, ...]]) -> HyTER:
        if self._given is None:
            return self
        if len(references) != len(self._given):
            raise ShapeError(f"{self.lattices} has {len(self._given)} lattices for {len(references)} segments")
        self._place.clear()
        for place, texts in enumerate(references):
            other = self._place.setdefault(texts, place)
            if self._given[other] != self._given[place]:
                raise ShapeError(
                    f"{self.lattices}: segments {other + 1} and {place + 1} have the same references but other "
                    "lattices; join them or make the references differ"
                )
        return self

    def lattice(self, references: tuple[str, ...]) -> Lattice:
        own = Lattice.union([Lattice.of(words) for words in self._wording.words(references)])
        if self._given is None:
            return own
        if references not in self._place:
            raise ShapeError(f"{self.lattices} is for other references; use for_references first")
        given = self._given[self._place[references]]
        return Lattice.union([given, own]) if self.references else given


def _lowercased(lattice: Lattice) -> Lattice:
    edges = [Edge(s, t, tuple(dict.fromkeys(word.lower() for word in words))) for s, t, words in lattice.edges]
    return Lattice(lattice.states, tuple(edges), lattice.finals)
