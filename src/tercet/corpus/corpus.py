"""The corpus: what was translated, by whom, and how it should have been."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from tercet.corpus.lines import Lines
from tercet.corpus.references import ListedReferences, References
from tercet.corpus.segments import as_hypotheses, as_references
from tercet.errors import OptionError, ShapeError

_REMEDY = "systems, references and source must hold the same segments"


@dataclass(frozen=True)
class Batch:
    """A run of segments, made into lists: what a metric takes at once."""

    start: int
    hypotheses: Mapping[str, list[str]]
    references: list[tuple[str, ...]]
    sources: list[str] | None


@dataclass(frozen=True, eq=False)
class Corpus:
    """References, systems and sources with the same number of segments. Sequences that read files stay unread."""

    references: Sequence[tuple[str, ...]]
    systems: Mapping[str, Sequence[str]]
    sources: Sequence[str] | None = None
    ids: Sequence[str] | None = None
    """What files call the segments, where they call them anything."""

    def __post_init__(self) -> None:
        names = list(self.systems)
        for name in names:
            if not isinstance(name, str) or not name.strip():
                raise ShapeError(f"a system is called {name!r}; give it a name")
        systems = {name: _texts(texts, f"system {name!r}") for name, texts in self.systems.items()}
        sources = None if self.sources is None else _texts(self.sources, "the source")
        others = [(f"system {name!r}", texts) for name, texts in systems.items()]
        others += [] if sources is None else [("the source", sources)]
        references = _references(self.references, others)
        for label, texts in others:
            _same_number(label, texts, references)
        if self.ids is not None and len(self.ids) != len(references):
            raise ShapeError(f"{len(self.ids)} ids for {len(references)} segments; every segment needs one")
        if not len(references):
            raise ShapeError("the corpus has no segments; give at least one")
        object.__setattr__(self, "references", references)
        object.__setattr__(self, "systems", MappingProxyType(systems))
        object.__setattr__(self, "sources", sources)

    def __len__(self) -> int:
        """The number of segments."""
        return len(self.references)

    @property
    def reference_counts(self) -> tuple[int, ...]:
        """How many references a segment has: one number, or several where it varies."""
        if isinstance(self.references, References):
            return self.references.distinct_counts()
        return tuple(sorted({len(texts) for texts in self.references}))

    def __repr__(self) -> str:
        return f"Corpus({len(self)} segments, systems {', '.join(self.systems) or 'none'})"

    def batches(self, size: int) -> Iterator[Batch]:
        """All segments in order, at most `size` at once, so that a million pass through little memory."""
        if size < 1:
            raise OptionError(f"batches of {size} segments are not possible; take 1 or more")
        for start in range(0, len(self), size):
            run = slice(start, start + size)
            yield Batch(
                start,
                {name: list(texts[run]) for name, texts in self.systems.items()},
                list(self.references[run]),
                None if self.sources is None else list(self.sources[run]),
            )


def _texts(texts: Sequence[str], label: str) -> Sequence[str]:
    if isinstance(texts, Lines):
        return texts
    try:
        return tuple(as_hypotheses(texts))
    except ShapeError as error:
        raise ShapeError(f"{label}: {error}") from error


def _references(
    references: Sequence[tuple[str, ...]], others: Sequence[tuple[str, Sequence[str]]]
) -> Sequence[tuple[str, ...]]:
    if not isinstance(references, References):
        segments = len(others[0][1]) if others else len(references)
        transposed = all(
            isinstance(item, Sequence) and not isinstance(item, str) and len(item) == segments for item in references
        )
        if len(references) != segments and not transposed:
            _same_number(*others[0], references)
        return tuple(as_references(references, segments))
    if isinstance(references, ListedReferences):
        counts = references.counts()
        if len(counts) and counts.min() == 0:
            raise ShapeError(
                f"{references.name}: segment {int(counts.argmin()) + 1} has no reference; "
                "every segment needs one or more"
            )
    return references


def _same_number(label: str, texts: Sequence[str], references: Sequence[object]) -> None:
    if len(texts) != len(references):
        raise ShapeError(
            f"{_place(label, texts)} has {len(texts)} segments "
            f"but {_place('the references', references)} have {len(references)}; {_REMEDY}"
        )


def _place(label: str, texts: Sequence[object]) -> str:
    return f"{label} ({texts.name})" if isinstance(texts, Lines | References) else label
