"""How much of everything a server takes, so that no request can bring it down."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from tercet.corpus import Corpus
from tercet.errors import InputError, ShapeError

MB = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Limits:
    """All of them; a request beyond one is refused with a line that says so."""

    upload: int = 32 * MB
    """Bytes of the files of one comparison, packed or not."""
    body: int = 40_000
    """Bytes of any other request."""
    body_seconds: float = 60.0
    """In which a request must have arrived."""
    segment: int = 10_000
    """Characters of one segment: TER and the matching of words take time that grows faster than a text."""
    explained: int = 200_000
    """Characters of one verdict: of every two translations and all references, as often as they are explained."""
    systems: int = 50
    verdicts: int = 500_000
    """Segments times pairs of systems, of one comparison."""
    jobs: int = 1
    """Comparisons that run at once; a single one keeps all cores busy."""
    waiting: int = 8
    """Comparisons that wait or are being uploaded."""
    job_seconds: float = 900.0
    answers: int = 2
    """Verdicts and explanations that are worked on at once, beside the comparisons."""
    answers_waiting: int = 256
    kept: int = 20
    """Finished comparisons that are remembered."""
    kept_bytes: int = 256 * MB
    kept_seconds: float = 3600.0
    """Since somebody last asked for one."""

    def check(self, corpus: Corpus) -> None:
        """An error if a corpus is too much."""
        systems = len(corpus.systems)
        if systems > self.systems:
            raise ShapeError(f"{systems} systems are more than the {self.systems} taken here; {_ELSEWHERE}")
        verdicts = len(corpus) * len(list(combinations(range(systems), 2)))
        if verdicts > self.verdicts:
            raise ShapeError(
                f"{len(corpus):,} segments of {systems} systems make {verdicts:,} verdicts, more than the "
                f"{self.verdicts:,} taken here; {_ELSEWHERE}"
            )
        parts = [(f"system {name!r}", texts) for name, texts in corpus.systems.items()]
        parts += [] if corpus.sources is None else [("the source", corpus.sources)]
        for name, texts in parts:
            for number, text in enumerate(texts, start=1):
                self._check_segment(name, number, text)
        for number, references in enumerate(corpus.references, start=1):
            for text in references:
                self._check_segment("the references", number, text)

    def check_explained(self, corpus: Corpus) -> None:
        """An error if a segment's translations are too much to explain: the answer grows with their pairs."""
        [references] = corpus.references
        lengths = [len(texts[0]) for texts in corpus.systems.values()]
        pairs = len(lengths) * (len(lengths) - 1) // 2
        characters = (len(lengths) - 1) * sum(lengths) + pairs * sum(map(len, references))
        if characters > self.explained:
            raise ShapeError(
                f"{len(lengths)} translations make {pairs} pairs with {characters:,} characters to explain, more than "
                f"the {self.explained:,} taken here; send fewer or shorter ones, or compare them as files"
            )

    def _check_segment(self, name: str, number: int, text: str) -> None:
        if len(text) > self.segment:
            raise InputError(
                f"{name}: segment {number} has {len(text):,} characters, more than the {self.segment:,} taken here",
                remedy="put every segment on a line of its own",
            )


_ELSEWHERE = "use tercet compare on the command line"
