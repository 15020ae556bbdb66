"""Where paraphrases come from: METEOR's tables, WordNet's synonyms, inflections, near vectors, PPDB, plain lists."""

from __future__ import annotations

import contextlib
import hashlib
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from tercet import resources
from tercet.errors import OptionError, ResourceError, TercetWarning
from tercet.language.meteor_tables import MeteorTables
from tercet.lattice.index import Pair, Paraphrase, PhraseIndex, compile_index
from tercet.lattice.paraphrase_files import OnMissing, read_pairs

FORMAT = 1
"""Of compiled tables; a higher one makes them anew."""

BUILT_IN = ("meteor", "synonyms", "inflections", "neighbours")

SAME_WORD = ("inflections",)
"""What they give are no substitutes but other forms of the same word."""

USUAL: Mapping[str, float | None] = {"meteor": 0.02, "synonyms": None, "inflections": None, "neighbours": 0.6}
PPDB_USUAL = 2.3
"""The lowest scores of a filtered lattice: the paper's for PPDB 2.0; for the others those that had the highest strict
tau on WMT12 and WMT13 (docs/papers/hytera.md)."""


class Source:
    """A table of paraphrases, of which those with at least the lowest score are used.

    A pair without a score passes any threshold.
    """

    def __init__(self, name: str, index: PhraseIndex, lowest: float | None = None) -> None:
        self.name, self.index, self.lowest = name, index, lowest
        self.judged = name not in SAME_WORD
        """Whether a filter of substitutes, such as AddCos, has a say in its single words."""
        self._known: dict[int, tuple[Paraphrase, ...]] = {}

    @property
    def signature(self) -> str:
        """Name, what the table holds, and the threshold."""
        return f"{self.name}-{self.index.digest[:8]}" + ("" if self.lowest is None else f">={self.lowest:g}")

    def spans(self, words: Sequence[str]) -> Iterator[tuple[int, int, tuple[Paraphrase, ...]]]:
        """Phrases of the sentence that have paraphrases: start, length, and these, the best first."""
        for start, length, phrase in self.index.spans(words):
            found = self._known.get(phrase)
            if found is None:
                found = self._known[phrase] = self._good(phrase)
            if found:
                yield start, length, found

    def _good(self, phrase: int) -> tuple[Paraphrase, ...]:
        good = self.index.paraphrases(phrase, self.lowest)
        return tuple(sorted(good, key=lambda p: -p.score if p.score == p.score else 0.0))


def open_source(spec: str, *, lowest: float | None = None, on_missing: OnMissing = "error") -> Source:
    """A source by its name, or of a file of PPDB or of a plain list; what must be compiled is compiled once."""
    if spec in BUILT_IN:
        return Source(spec, _neighbours() if spec == "neighbours" else _built_in(spec, meteor_tables()), lowest)
    path = Path(spec)
    if not path.is_file():
        raise OptionError(f"no source of paraphrases {spec!r}; it is {', '.join(BUILT_IN)}, or a file")
    index = _of_file(path, path.stat().st_mtime_ns, on_missing)
    if index.note:  # whether it was compiled now or long ago
        warnings.warn(index.note, TercetWarning, stacklevel=2)
    return Source(path.name, index, lowest)


def parse_sources(spec: str, *, filtered: bool, on_missing: OnMissing = "error") -> list[Source]:
    """`synonyms>=0.2+FILE`: sources joined by +, each with its lowest score or, if filtered, the usual one."""
    found = []
    for item in filter(None, spec.split("+")):
        name, given, lowest = item.partition(">=")
        try:
            least = float(lowest) if given else USUAL.get(name, PPDB_USUAL) if filtered else None
        except ValueError:
            raise OptionError(f"sources={spec!r}: {lowest!r} is not a number; write {name}>=0.1") from None
        found.append(open_source(name, lowest=least, on_missing=on_missing))
    return found


def meteor_tables() -> MeteorTables:
    """METEOR's tables, which must be installed."""
    if resources.status("meteor").state == "missing":
        raise ResourceError(f"paraphrases come from METEOR's tables; {resources.remedy('meteor')}")
    return _opened(resources.find("meteor", "meteor.tables"))


@cache
def _opened(path: Path) -> MeteorTables:
    return MeteorTables.open(path)


@cache
def _built_in(name: str, tables: MeteorTables) -> PhraseIndex:
    from tercet.lattice.wordnet import inflection_pairs, synonym_pairs

    if name == "meteor":
        return PhraseIndex.of_meteor(tables)
    pairs = {"synonyms": synonym_pairs, "inflections": inflection_pairs}[name]
    return _compiled(f"{name}-{tables.digest[:16]}", lambda: pairs(tables), name)


@cache
def _neighbours() -> PhraseIndex:
    from tercet.language.skipgram import SHIPPED, SkipGram
    from tercet.lattice.addcos import neighbour_pairs

    vectors = SkipGram.read(SHIPPED)
    return _compiled(f"neighbours-{vectors.sha256[:16]}", lambda: neighbour_pairs(vectors), "neighbours")


@cache
def _of_file(path: Path, modified: int, on_missing: OnMissing) -> PhraseIndex:
    content = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            content.update(block)
    name = f"file-{content.hexdigest()[:16]}" + ("-skip" if on_missing == "skip" else "")
    notes: list[str] = []
    return _compiled(
        name, lambda: read_pairs(path, on_missing=on_missing, told=notes.append), path.name, lambda: "".join(notes)
    )


def _compiled(
    name: str, pairs: Callable[[], Iterator[Pair]], source: str, note: Callable[[], str] = lambda: ""
) -> PhraseIndex:
    target = compiled_folder() / f"{name}-{FORMAT}.safetensors"
    if target.is_file():
        with contextlib.suppress(ResourceError):  # cut short, by a full disk or a kill: made anew
            return PhraseIndex.open(target)
    compile_index(pairs(), target, source=source, note=note)
    return PhraseIndex.open(target)


def compiled_folder() -> Path:
    """Where tables are kept that were made of others."""
    return resources.root().parent / "lattice"


def verify_compiled() -> Iterator[tuple[Path, str]]:
    """Every table that was made of others, read as a whole, and what is wrong with it, if anything is."""
    for path in sorted(compiled_folder().glob("*.safetensors")):
        try:
            PhraseIndex.open(path).verify(path)
        except ResourceError as error:
            yield path, str(error)
        else:
            yield path, ""
