"""Lexical substitution measured on its own: SemEval-2007's sentences, and how well candidates are ranked (GAP)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tercet.errors import InputError


@dataclass(frozen=True)
class Instance:
    """A word in a sentence, and what people would put in its place, with how many of them would."""

    target: str
    """Lemma and part of speech: bright.a."""
    number: int
    words: tuple[str, ...]
    place: int
    gold: Mapping[str, int]


@dataclass(frozen=True)
class Task:
    """All instances, and for every target the candidates to rank: all that anybody proposed for it anywhere."""

    instances: tuple[Instance, ...]
    candidates: Mapping[str, tuple[str, ...]]

    @classmethod
    def read(cls, folder: Path) -> Task:
        """From `lst_all.preprocessed`, `lst_all.gold` and `lst.gold.candidates`.

        Substitutes of several words are left out, and instances that then have none.
        """
        candidates = {}
        for number, line in _lines(folder / "lst.gold.candidates"):
            target, found, rest = line.partition("::")
            if not found:
                raise InputError("no ::", file=folder / "lst.gold.candidates", line=number)
            candidates[target.strip()] = tuple(sorted({word for word in map(str.strip, rest.split(";")) if _one(word)}))
        gold: dict[tuple[str, int], dict[str, int]] = {}
        for number, line in _lines(folder / "lst_all.gold"):
            head, found, rest = line.partition("::")
            try:
                target, instance = head.split()
                votes = (item.rsplit(None, 1) for item in rest.split(";") if item.strip())
                gold[target, int(instance)] = {word.strip(): int(count) for word, count in votes if _one(word.strip())}
            except ValueError:
                raise InputError(
                    "not `word.pos number :: word count;…`", file=folder / "lst_all.gold", line=number
                ) from None
        instances = []
        for number, line in _lines(folder / "lst_all.preprocessed"):
            fields = line.split("\t")
            file = folder / "lst_all.preprocessed"
            if len(fields) != 4 or not (fields[1].isdecimal() and fields[2].isdecimal()):
                raise InputError("not four fields: target, number, place, sentence", file=file, line=number)
            words, place = tuple(fields[3].split(" ")), int(fields[2])
            listed = ".".join(fields[0].split(".")[:2])  # bar.n.v is a verb among the sentences of bar.n
            if place >= len(words) or listed not in candidates:
                raise InputError("no such place, or no candidates of the target", file=file, line=number)
            wanted = gold.get((fields[0], int(fields[1])), {})
            if wanted:
                instances.append(Instance(listed, int(fields[1]), words, place, wanted))
        return cls(tuple(instances), candidates)


Ranking = Callable[[Instance, Sequence[str]], Sequence[float]]
"""A score of every candidate; NaN for those it cannot tell, which come last."""


def generalized_average_precision(gold: Sequence[float]) -> float:
    """Kishida's (2005) GAP of the gold weights in the order of a ranking; 0 stands for candidates that nobody gave."""
    weights = np.asarray(gold, np.float64)
    ideal = np.sort(weights)[::-1]
    places = np.arange(1, len(weights) + 1)
    above = ((weights > 0) * np.cumsum(weights) / places).sum()
    below = ((ideal > 0) * np.cumsum(ideal) / places).sum()
    return float(above / below)


def gap(task: Task, ranking: Ranking) -> float:
    """Mean GAP; candidates with equal scores stand in the order of the alphabet."""
    values = []
    for instance in task.instances:
        candidates = task.candidates[instance.target]
        scores = np.asarray(ranking(instance, candidates), np.float64)
        order = np.argsort(-np.nan_to_num(scores, nan=-np.inf), kind="stable")
        weights = [instance.gold.get(candidates[i], 0) for i in order]
        if any(weights):
            values.append(generalized_average_precision(weights))
    return float(np.mean(values))


def random_gap(task: Task, *, seed: int, times: int = 20) -> float:
    """Of candidates in a random order: the floor."""
    generator = np.random.default_rng(seed)
    return float(np.mean([gap(task, lambda _, some: generator.random(len(some)).tolist()) for _ in range(times)]))


def _one(word: str) -> bool:
    return bool(word) and " " not in word


def _lines(path: Path) -> list[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", file=path) from error
    except UnicodeDecodeError:  # as it was published
        text = path.read_text(encoding="latin-1")
    return [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
