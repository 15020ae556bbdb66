"""What a network is trained, validated and tested on: the paper's own protocol, and two for smaller data."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from tercet.errors import InputError
from tercet.rankers.data import read_pairs
from tercet.rankers.network import NetworkOptions
from tercet.rankers.pairs import Numbers, Pairs

VALIDATION = 5000  # pairs, as in the paper
SPLIT_SEED = 1
HELD_OUT = 0.3  # of the training part of a fold
CHOSEN = MappingProxyType({"learning_rate": 0.1, "l2": 0.01, "epochs": 30})
"""What `training.guzman2015_settings` and `training.guzman2015_epochs` found best on WMT13, which is not tested on.
So is HELD_OUT."""


class Split(NamedTuple):
    """One training: its data, and the places in the protocol's test pairs that it answers for."""

    train: Pairs
    validation: Pairs
    places: Numbers


class Protocol(ABC):
    """Some trainings that together give a margin to every test pair."""

    name: str
    description: str
    test: Pairs
    settings: Mapping[str, Any] = MappingProxyType({})
    """Options of the network that differ from the paper's."""

    def options(self, **changed: Any) -> NetworkOptions:
        """The options of the network, with some that a user wants otherwise."""
        return NetworkOptions(**{**self.settings, **changed})

    @abstractmethod
    def splits(self) -> Iterator[Split]:
        """Each training, in turn."""


@dataclass
class Official(Protocol):
    """Section 4.4 of the paper."""

    train: Pairs
    validation: Pairs
    test: Pairs
    name = "official"
    description = "train on WMT11, validate on 5,000 random pairs of WMT13, test on WMT12: the paper's protocol"

    @classmethod
    def read(cls, data: Path) -> Official:
        import numpy as np

        validation = read_pairs(data / "wmt13").untied()
        chosen = np.random.default_rng(SPLIT_SEED).permutation(len(validation))[:VALIDATION]
        return cls(read_pairs(data / "wmt11"), validation.where(np.sort(chosen)), read_pairs(data / "wmt12").untied())

    def splits(self) -> Iterator[Split]:
        import numpy as np

        yield Split(self.train, self.validation, np.arange(len(self.test)))


@dataclass
class Transfer(Protocol):
    """Another year and, but for one, other language pairs."""

    judged: Pairs
    test: Pairs
    name = "wmt13"
    settings = CHOSEN
    description = "train on WMT13 fr-en with 5,000 pairs held out by segment for validation, test on WMT12"

    @classmethod
    def read(cls, data: Path) -> Transfer:
        return cls(read_pairs(data / "wmt13", ["fr-en"]), read_pairs(data / "wmt12").untied())

    def splits(self) -> Iterator[Split]:
        import numpy as np

        train, validation = self.judged.hold_out(VALIDATION, SPLIT_SEED)
        yield Split(train, validation, np.arange(len(self.test)))


@dataclass
class Folds(Protocol):
    """Cross-validation over the test data; no segment's reference is on two sides."""

    judged: Pairs
    test: Pairs
    name = "folds"
    settings = CHOSEN
    number: int = 5

    @property
    def description(self) -> str:  # type: ignore[override]
        """In a line."""
        return (
            f"{self.number}-fold cross-validation by segment over WMT12; in each fold {HELD_OUT:.0%} of the training "
            "pairs are held out by segment for validation"
        )

    @classmethod
    def read(cls, data: Path) -> Folds:
        judged = read_pairs(data / "wmt12")
        return cls(judged, judged.untied())

    def splits(self) -> Iterator[Split]:
        import numpy as np

        for rest, fold in self.judged.folds(self.number, SPLIT_SEED):
            train, validation = rest.hold_out(int(HELD_OUT * len(rest.untied())), SPLIT_SEED)
            yield Split(train, validation, np.flatnonzero(np.isin(self.test.groups, np.unique(fold.groups))))


READERS = {"official": Official.read, "wmt13": Transfer.read, "folds": Folds.read}


def available(data: Path) -> list[str]:
    """The protocols that a data folder is good for: the paper's own, or else the other two."""
    if not (data / "wmt12").is_dir():
        raise InputError("has no wmt12/ in it", file=data, remedy="give --data the folder that holds the WMT data")
    outputs = {year: (data / year / "system-outputs").is_dir() for year in ("wmt11", "wmt13")}
    if all(outputs.values()):
        return ["official"]
    return ["wmt13", "folds"] if outputs["wmt13"] else ["folds"]
