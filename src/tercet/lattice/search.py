"""The nearest path of a lattice: exact, without enumerating. The work is done in cpp/lattice.cpp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tercet import _native
from tercet.language import tokenizers
from tercet.lattice.automaton import Lattice

Normalizer = Literal["reference", "sum", "longer"]
"""What edits are divided by: the path's length, both lengths together, or the longer of the two."""

Edit = Literal["match", "substitution", "insertion", "deletion"]
_EDITS: dict[str, Edit] = {"=": "match", "s": "substitution", "i": "insertion", "d": "deletion"}

WIDEST_WINDOW = 8


@dataclass(frozen=True)
class Step:
    """A word of the hypothesis and the word of the path that it stands for; one of them may be missing."""

    edit: Edit
    hypothesis: str | None
    path: str | None
    place: int | None
    """The word's place in the hypothesis."""


@dataclass(frozen=True)
class Match:
    """The path of a lattice that is nearest to a hypothesis."""

    edits: int
    length: int
    """What the edits are divided by."""
    steps: tuple[Step, ...]

    @property
    def path(self) -> tuple[str, ...]:
        """The sentence that the path reads."""
        return tuple(step.path for step in self.steps if step.path is not None)

    @property
    def ratio(self) -> float:
        """Edits by length; by no length 1, or 0 if there is nothing to edit."""
        return self.edits / self.length if self.length else float(self.edits > 0)


@dataclass(frozen=True, kw_only=True)
class Search:
    """How a hypothesis is held against a lattice.

    With a window of k, the hypothesis may be read in another order: at any time one of the words up to k places ahead
    of the first that is not yet read. Moves cost nothing (Dreyer & Marcu 2012, section 4).
    """

    normalize: Normalizer = "reference"
    window: int = 0
    tokenize: tokenizers.Tokenizer = "none"

    def distances(
        self, hypotheses: Sequence[str], lattices: Sequence[Lattice], which: Sequence[int] | None = None
    ) -> NDArray[np.float64]:
        """Edits and normaliser, (segments, 2), of the nearest path: that with the lowest ratio, then fewest edits.

        `which` says for each hypothesis which lattice it belongs to; by default they are parallel.
        """
        tokenizers.prepare(self.tokenize)
        numbers = np.arange(len(hypotheses)) if which is None else np.asarray(which, np.int64)
        return native(lattices).distances(
            list(hypotheses), numbers, tokenizer=self.tokenize, normalize=self.normalize, window=self.window
        )

    def match(self, hypothesis: str, lattice: Lattice) -> Match:
        """The nearest path, and how the hypothesis becomes it word by word."""
        [words] = tokenizers.tokenize([hypothesis], self.tokenize)
        edits, length, steps = native([lattice]).match(
            hypothesis, 0, tokenizer=self.tokenize, normalize=self.normalize, window=self.window
        )
        found = [
            Step(_EDITS[edit], None if place < 0 else words[place], word, None if place < 0 else place)
            for edit, place, word in steps
        ]
        return Match(int(edits), int(length), tuple(found))


def native(lattices: Sequence[Lattice]) -> _native.Lattices:
    """The lattices as the kernel holds them."""
    held = _native.Lattices()
    for lattice in lattices:
        held.add(lattice.states, lattice.edges, lattice.finals)
    return held
