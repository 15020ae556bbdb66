"""Judged texts as the encoder learns from them: references with all that was judged of them, in batches of like length.

A unit is a reference and every hypothesis of it that somebody judged, in whichever text: encoded once a step. Units
never part, and units of like length stand in a batch together: little of it is padding, and few shapes are compiled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.judged import JudgedTexts
from tercet.errors import ShapeError
from tercet.rankers.joint_data import expected_wins

LENGTHS = (16, 24, 32, 40, 48, 64, 128)
"""To one of these sequences are padded; a unit with a longer one is left out of the training."""
FEWEST = 32  # sequences that a batch has room for, whatever their length
_OPEN = 8  # batches that are filled at once
SYSTEMS = 96  # systems that the corpus objective sees in a batch

Numbers = NDArray[np.int64]


@dataclass
class Unit:
    """A reference, which is sequence 0, its hypotheses, and what people said of them."""

    sequences: list[Numbers]
    votes: dict[tuple[int, int], float] = field(default_factory=dict)
    assessed: dict[tuple[int, int], float] = field(default_factory=dict)
    """Standardised assessments by sequence and text."""
    systems: set[tuple[int, int]] = field(default_factory=set)
    """Sequences and the systems that they are of."""

    @property
    def longest(self) -> int:
        return max(len(one) for one in self.sequences)


class Batch(NamedTuple):
    """Arrays of fixed shapes; a row of length 0 is padding, and is matched with itself."""

    pieces: NDArray[np.int32]
    lengths: NDArray[np.int32]
    reference: NDArray[np.int32]
    votes: NDArray[np.float32]
    assessed: NDArray[np.float32]
    known: NDArray[np.bool_]
    members: NDArray[np.float32]
    margins: NDArray[np.float32]


@dataclass(frozen=True)
class Judged:
    """Units, and for each of them where its scores belong."""

    units: list[Unit]
    wins: NDArray[np.float64]
    """Expected Wins of every system; NaN where people compared nothing of it."""
    text_of_system: Numbers
    left_out: int
    """Units with a sequence too long for training."""
    assessments: float = 1.0
    """What the difference of two assessments counts in votes, beside the 1 of a comparison."""


class _Sequences:
    """Numbers of texts within units."""

    def __init__(self) -> None:
        self.units: dict[str, dict[str, int]] = {}

    def place(self, reference: str, hypothesis: str) -> tuple[str, int]:
        unit = self.units.setdefault(reference, {})
        return reference, unit.setdefault(hypothesis, len(unit) + 1)


def judged_units(texts: Sequence[JudgedTexts], tokenizer: Any, *, assessments: float = 1.0) -> Judged:
    """The units of some judged texts; every text's assessments are standardised."""
    found = _Sequences()
    votes: dict[tuple[str, int, int], float] = {}
    assessed: list[tuple[str, int, int, float]] = []
    members: set[tuple[str, int, int]] = set()
    wins: list[NDArray[np.float64]] = []
    owner: list[int] = []
    for number, one in enumerate(texts):
        names = one.judgments.systems()
        lines = [list(one.corpus.systems[name]) for name in names]
        references = [references[0] for references in one.corpus.references]
        first_system = len(owner)
        owner += [number] * len(names)
        table = one.judgments.of_segments()
        if one.judgments.kind == "comparison":
            rows = table.untied().indices(names)
            wins.append(expected_wins(rows.system, rows.other, rows.value, len(names)))
            for segment, system, other, value in zip(rows.segment, rows.system, rows.other, rows.value, strict=True):
                reference, first = found.place(references[segment], lines[system][segment])
                _, second = found.place(reference, lines[other][segment])
                members |= {(reference, first, first_system + system), (reference, second, first_system + other)}
                if first != second:
                    key = (reference, first, second) if value > 0 else (reference, second, first)
                    votes[key] = votes.get(key, 0.0) + 1.0
        else:
            wins.append(np.full(len(names), np.nan))
            rows = table.averaged().indices(names)
            spread = float(rows.value.std()) or 1.0
            for segment, system, value in zip(rows.segment, rows.system, rows.value, strict=True):
                reference, place = found.place(references[segment], lines[system][segment])
                assessed.append((reference, place, number, float(value - rows.value.mean()) / spread))
    units = _units(found, tokenizer)
    for (reference, first, second), weight in votes.items():
        units[reference].votes[first, second] = weight
    for reference, place, text, value in assessed:
        units[reference].assessed[place, text] = value
    for reference, place, system in members:
        units[reference].systems.add((place, system))
    short = [unit for unit in units.values() if unit.longest <= LENGTHS[-1] and len(unit.sequences) <= FEWEST]
    if not short:
        raise ShapeError("there are no judged segments to learn from")
    return Judged(short, np.concatenate(wins), np.array(owner), len(units) - len(short), assessments)


def _units(found: _Sequences, tokenizer: Any) -> dict[str, Unit]:
    texts = [text for reference, unit in found.units.items() for text in (reference, *unit)]
    read = iter(tokenizer.encode_batch(texts))
    return {
        reference: Unit([np.asarray(next(read).ids, np.int64) for _ in range(len(unit) + 1)])
        for reference, unit in found.units.items()
    }


def batches(judged: Judged, tokens: int, random: np.random.Generator | None) -> Iterator[tuple[Batch, list[int]]]:
    """All units once, in random order, with the numbers of the units in each batch."""
    waiting: list[list[int]] = []
    carried: list[int] = []
    for length in LENGTHS:
        shorter = max((one for one in LENGTHS if one < length), default=0)
        members = [i for i, unit in enumerate(judged.units) if shorter < unit.longest <= length]
        if random is not None:
            members = random.permutation(members).astype(int).tolist()
        made, carried = _filled(judged, carried + members, sequences_of(tokens, length))
        waiting += made
    last = sequences_of(tokens, LENGTHS[-1])
    while carried:
        group: list[int] = []
        while carried and sum(len(judged.units[i].sequences) for i in [*group, carried[0]]) <= last:
            group.append(carried.pop(0))
        waiting.append(group)
    order = np.arange(len(waiting)) if random is None else random.permutation(len(waiting))
    for i in order:
        yield batch_of(judged, waiting[i], tokens), waiting[i]


def sequences_of(tokens: int, length: int) -> int:
    """How many sequences of that length are a batch."""
    return max(tokens // length, FEWEST)


def _filled(judged: Judged, members: list[int], room: int) -> tuple[list[list[int]], list[int]]:
    """Groups that fill their room, each unit in the first that has room, and what is left for the next length."""
    made: list[list[int]] = []
    open_groups: list[tuple[int, list[int]]] = []
    for i in members:
        size = len(judged.units[i].sequences)
        at = next((at for at, (left, _) in enumerate(open_groups) if left >= size), None)
        if at is None:
            open_groups.append((room - size, [i]))
        else:
            left, group = open_groups[at]
            group.append(i)
            open_groups[at] = (left - size, group)
        if len(open_groups) > _OPEN:
            fullest = min(range(len(open_groups)), key=lambda at: open_groups[at][0])
            made.append(open_groups.pop(fullest)[1])
    open_groups.sort(key=lambda one: one[0])
    while open_groups and open_groups[0][0] < room // 16:
        made.append(open_groups.pop(0)[1])
    return made, [i for _, group in open_groups for i in group]


def batch_of(judged: Judged, chosen: Sequence[int], tokens: int) -> Batch:
    """Some units as arrays."""
    units = [judged.units[i] for i in chosen]
    length = next(one for one in LENGTHS if max(unit.longest for unit in units) <= one)
    size = sequences_of(tokens, length)
    pieces, lengths = np.zeros((size, length), np.int32), np.zeros(size, np.int32)
    reference, votes = np.arange(size, dtype=np.int32), np.zeros((size, size), np.float32)
    values, texts = np.zeros(size, np.float32), np.full(size, -1)
    of_system: dict[int, list[int]] = {}
    start = 0
    for unit in units:
        for place, ids in enumerate(unit.sequences, start):
            pieces[place, : len(ids)], lengths[place], reference[place] = ids, len(ids), start
        for (first, second), weight in unit.votes.items():
            votes[start + first, start + second] += weight
        for (place, text), value in unit.assessed.items():  # one text assesses a sequence once
            values[start + place], texts[start + place] = value, text
        for place, system in sorted(unit.systems):
            of_system.setdefault(system, []).append(start + place)
        start += len(unit.sequences)
    known = texts >= 0
    same = known[:, None] & (texts[:, None] == texts)
    apart = np.where(same, np.maximum(values[:, None] - values, 0), 0)
    votes += (judged.assessments * apart).astype(np.float32)
    return Batch(pieces, lengths, reference, votes, values, known, *_systems(judged, of_system, size))


def _systems(
    judged: Judged, of_system: dict[int, list[int]], size: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    members, margins = np.zeros((SYSTEMS, size), np.float32), np.zeros((SYSTEMS, SYSTEMS), np.float32)
    there = np.array([one for one in sorted(of_system) if not np.isnan(judged.wins[one])][:SYSTEMS], np.int64)
    for row, system in enumerate(there):
        places = of_system[int(system)]
        members[row, places] = 1 / len(places)
    wins, text = judged.wins[there], judged.text_of_system[there]
    above = np.where(text[:, None] == text, np.maximum(wins[:, None] - wins, 0), 0)
    margins[: len(there), : len(there)] = above
    return members, margins
