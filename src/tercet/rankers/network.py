"""The pairwise network: learns from judged pairs (with JAX), and compares translations (with numpy alone)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.segments import References, as_hypotheses, as_references
from tercet.errors import OptionError, ShapeError
from tercet.features.cache import FeatureCache
from tercet.options import check_options
from tercet.rankers.absolute import bradley_terry
from tercet.rankers.architecture import Architecture, Form, Weights, margins
from tercet.rankers.base import Calibrated
from tercet.rankers.calibration import Calibration
from tercet.rankers.inputs import Bounds, FeatureSpecs, Inputs, Side
from tercet.rankers.pairs import Pairs
from tercet.signature import Signature

if TYPE_CHECKING:
    from tercet.rankers.attribution import Between
    from tercet.rankers.fitting import Fitted

Array = NDArray[np.float64]
Cost = Literal["logistic", "kendall", "logistic+kendall"]
Several = Literal["mean", "best"]
Progress = Callable[[str, int, NDArray[np.float32]], None]
"""Called with the cost, the epochs done, and the validation taus (epochs, seeds)."""


@dataclass(frozen=True, kw_only=True)
class NetworkOptions:
    """What section 4.4 of Guzmán et al. (2015) sets, and what goes beyond it."""

    form: Form = "paper"
    """`antisymmetric` shares the weights of both hypotheses, so that margin(a, b) = -margin(b, a) by construction."""
    hidden: int = 4
    """Nodes in each group; 0 for a flat network."""
    cost: Cost = "logistic"
    epochs: int = 10_000
    """Of each cost."""
    batch: int = 30
    learning_rate: float = 0.01
    l2: float = 1e-4
    gamma: float = 100.0
    """Of the Kendall cost: how steep the step from discordant to concordant is."""
    beta: float = 100.0
    """Of the Kendall cost: how narrow a tie is."""
    tie_weight: float = 0.1
    """Of the Kendall cost: what a tie costs beside a discordant pair. The paper prints no weight; with 1 the term
    drives every pair from Δ = 0 the way it happens to lean, and wrong decisions are never put right."""
    near_zero: bool = False
    """A training that begins with the Kendall cost begins with weights to the output that are divided by γ."""
    both_ways: bool = False
    """Every epoch, a coin tells which translation of each pair stands first; if not, one coin tells for all epochs."""
    patience: int | None = None
    """Stop after so many epochs without a better one."""
    seeds: int = 1
    """Networks trained at once; their mean margin decides."""
    seed: int = 1
    order: int = 0
    """Seed of what all members share: the order of the examples, and which translation of each stands first."""
    references: Several = "mean"
    """With several references: the mean margin over all, or that of the reference nearest to the two."""

    def __post_init__(self) -> None:
        check_options(self)
        for name, least in {"hidden": 0, "epochs": 1, "batch": 1, "seeds": 1, "seed": 0, "order": 0}.items():
            if getattr(self, name) < least:
                raise OptionError(f"network: {name}={getattr(self, name)} is not allowed; it takes {least} or more")
        for name in ("learning_rate", "gamma", "beta"):
            if not 0 < getattr(self, name) < float("inf"):
                raise OptionError(f"network: {name}={getattr(self, name)} is not allowed; it must be above 0")
        for name in ("l2", "tie_weight"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise OptionError(f"network: {name}={getattr(self, name)} is not allowed; it takes 0 or more")
        if self.patience is not None and self.patience < 1:
            raise OptionError(f"network: patience={self.patience} is not allowed; it takes 1 or more, or none")

    @property
    def members(self) -> tuple[int, ...]:
        """The seeds of the networks."""
        return tuple(range(self.seed, self.seed + self.seeds))


@dataclass
class NetworkRanker(Calibrated):
    """A network that tells which of two translations is better; `fit` or `load` it before use."""

    features: FeatureSpecs = field(default_factory=FeatureSpecs)
    options: NetworkOptions = field(default_factory=NetworkOptions)
    cache: FeatureCache = field(default_factory=FeatureCache.default, repr=False)

    architecture_: Architecture | None = field(default=None, init=False, repr=False)
    weights_: Weights | None = field(default=None, init=False, repr=False)
    inputs_: Inputs | None = field(default=None, init=False, repr=False)
    calibration_: Calibration = field(default_factory=Calibration, init=False, repr=False)
    card_: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    """What is known about the training: data, agreement, date."""
    digest_: str = field(default="unfitted", init=False, repr=False)

    def fit(
        self,
        pairs: Pairs,
        validation: Pairs | None = None,
        *,
        progress: Progress | None = None,
        resume: Fitted | None = None,
    ) -> Self:
        """Learns from the pairs that somebody won. Without validation data a tenth of the segments is held out."""
        from tercet.rankers.fitting import fit

        if validation is None:
            pairs, validation = pairs.hold_out(max(1, len(pairs.untied()) // 10), self.options.seed)
        self.adopt(
            fit(self.features, self.options, pairs, validation, cache=self.cache, progress=progress, resume=resume)
        )
        return self

    def adopt(self, fitted: Fitted) -> None:
        """Takes over what a training found."""
        self.set_learned(fitted.architecture, fitted.weights, fitted.bounds, fitted.calibration)
        self.card_ = dict(fitted.card)

    def set_learned(
        self, architecture: Architecture, weights: Weights, bounds: Bounds, calibration: Calibration
    ) -> None:
        """All that is learned, from a training or from a file."""
        from tercet.rankers.models import digest

        self.architecture_, self.weights_, self.calibration_ = architecture, weights, calibration
        self.inputs_ = Inputs(self.features, self.cache, bounds)
        self.digest_ = digest(weights, bounds, calibration)

    @property
    def signature(self) -> Signature:
        """The model's hash, its form, its features and how several references are used."""
        return Signature.of(
            "network",
            model=self.digest_[:16],
            form=self.options.form,
            hidden=self.options.hidden,
            seeds=self.options.seeds,
            features="+".join((*self.features.similarity, *self.features.vectors, *self.features.source_vectors)),
            between="+".join(self.features.between) or None,
            refs=self.options.references,
        )

    def margin(
        self,
        first: Sequence[str],
        second: Sequence[str],
        references: References,
        sources: Sequence[str] | None = None,
    ) -> Array:
        """Above 0 where the first translation is better; margin(a, b) == -margin(b, a)."""
        return np.asarray(self.margins([first, second], references, sources)[0, 1], np.float64)

    def margins(
        self, systems: Sequence[Sequence[str]], references: References, sources: Sequence[str] | None = None
    ) -> Array:
        """The margin of every two of some systems, (systems, systems, segments); features are computed once."""
        texts = [as_hypotheses(system) for system in systems]
        sets = as_references(references, len(texts[0]))
        if any(len(text) != len(sets) for text in texts):
            raise ShapeError(f"systems of {', '.join(str(len(text)) for text in texts)} segments cannot be compared")
        views = self.views(texts, sets, sources)
        found = np.zeros((len(texts), len(texts), len(sets)))
        for i in range(len(texts)):
            for j in range(i + 1, len(texts)):
                for view, share in zip(views, self.shares(views, i, j), strict=True):
                    found[i, j] += share * self._of_sides(view.sides[i], view.sides[j], view.around)
        return found - found.transpose(1, 0, 2)

    def views(
        self, texts: Sequence[Sequence[str]], sets: Sequence[tuple[str, ...]], sources: Sequence[str] | None
    ) -> list[View]:
        """What the network sees of some systems beside the first references of all segments, the second, and so on."""
        inputs = self._inputs
        source = inputs.sources(sources, len(sets))
        found = []
        for place in range(max(map(len, sets))):
            single = [one[place] if place < len(one) else one[0] for one in sets]
            around = _Around(self._of_references(single), source)
            sides = [inputs.side(text, single, sources) for text in texts]
            alone = self._alone(sides, around, single, sources) if self._chooses(sets) else []
            found.append(View(single, np.array([len(one) > place for one in sets]), around, sides, alone, inputs))
        return found

    def shares(self, views: Sequence[View], first: int, second: int) -> Array:
        """How much each view counts in the margin of two systems, (views, segments); their sum is 1."""
        has = np.stack([view.has for view in views])
        if not views[0].alone:
            return np.asarray(has / has.sum(axis=0), np.float64)
        near = np.stack([np.maximum(view.alone[first], view.alone[second]) for view in views])
        nearest = np.argmax(np.where(has, near, -np.inf), axis=0)  # the first of equals
        return np.asarray(np.arange(len(views))[:, None] == nearest, np.float64)

    def contributions(
        self, systems: Sequence[Sequence[str]], references: References, sources: Sequence[str] | None = None
    ) -> Between:
        """What each feature adds to the margin of any two of some systems; see `tercet.rankers.attribution`."""
        from tercet.rankers.attribution import network_contributions

        return network_contributions(self, systems, references, sources)

    def strengths(
        self, systems: Sequence[Sequence[str]], references: References, sources: Sequence[str] | None = None
    ) -> Array:
        """An absolute score of every translation, (systems, segments), from all comparisons within its segment."""
        every = self.calibration_.probability(self.margins(systems, references, sources))
        return bradley_terry(every.transpose(2, 0, 1)).T

    def lone(self, hypotheses: Sequence[str], references: References, sources: Sequence[str] | None = None) -> Array:
        """The score of a translation with no other to compare it with: its margin over the reference itself."""
        texts = as_hypotheses(hypotheses)
        sets = as_references(references, len(texts))
        inputs = self._inputs
        source = inputs.sources(sources, len(sets))
        scores = np.full((max(map(len, sets)), len(sets)), np.nan)
        for place in range(len(scores)):
            single = [one[place] if place < len(one) else one[0] for one in sets]
            around = _Around(self._of_references(single), source)
            found = self._alone([inputs.side(texts, single, sources)], around, single, sources)[0]
            scores[place] = np.where([len(one) > place for one in sets], found, np.nan)
        over = np.nanmax if self.options.references == "best" else np.nanmean
        return np.asarray(over(scores, axis=0), np.float64)

    def save(self, path: Path) -> None:
        """Writes the model's folder, which appears whole or not at all."""
        from tercet.rankers.models import save

        save(self, Path(path))

    @classmethod
    def load(cls, path: Path, *, cache: FeatureCache | None = None) -> NetworkRanker:
        """The model of a folder; nothing in it is run."""
        from tercet.rankers.models import load

        return load(Path(path), cache=cache)

    @property
    def _inputs(self) -> Inputs:
        if self.inputs_ is None:
            raise OptionError("this network has learned nothing; call fit, or load a model")
        return self.inputs_

    def _of_references(self, references: Sequence[str]) -> NDArray[np.float32]:
        """Their vectors, or zeros where no margin depends on them."""
        assert self.architecture_ is not None
        if self.architecture_.sees_references:
            return self._inputs.sentences(references)
        return np.zeros((len(references), self.architecture_.vectors), np.float32)

    def _chooses(self, sets: Sequence[tuple[str, ...]]) -> bool:
        return self.options.references == "best" and any(len(one) > 1 for one in sets)

    def _alone(
        self, sides: Sequence[Side], around: _Around, single: Sequence[str], sources: Sequence[str] | None
    ) -> list[Array]:
        perfect = self._inputs.side(single, single, sources)
        return [self._of_sides(side, perfect, around) for side in sides]

    def _of_sides(self, first: Side, second: Side, around: _Around) -> Array:
        assert self.architecture_ is not None
        assert self.weights_ is not None
        rows = _rows(self.architecture_, self._inputs, first, second, around)
        return np.asarray(margins(self.architecture_, self.weights_, rows).mean(axis=0), np.float64)


@dataclass(frozen=True)
class _Around:
    """What both hypotheses share: the vectors of their reference and source."""

    references: NDArray[np.float32]
    sources: NDArray[np.float32]


@dataclass(frozen=True)
class View:
    """Some systems beside one reference of every segment."""

    references: Sequence[str]
    """A segment that has no reference here is shown its first, and the view does not count for it."""
    has: NDArray[np.bool_]
    around: _Around
    sides: Sequence[Side]
    alone: Sequence[Array]
    """How near each system's translations are to the reference, if that is what chooses among several."""
    inputs: Inputs

    def rows(self, architecture: Architecture, first: int, second: int) -> NDArray[np.float32]:
        """The rows of input for two of the systems."""
        return _rows(architecture, self.inputs, self.sides[first], self.sides[second], self.around)


def _rows(
    architecture: Architecture, inputs: Inputs, first: Side, second: Side, around: _Around
) -> NDArray[np.float32]:
    between = inputs.between(first.texts, second.texts) if architecture.between else None
    return architecture.row(
        first.vectors,
        second.vectors,
        around.references,
        around.sources,
        first.similarity,
        second.similarity,
        between,
    )
