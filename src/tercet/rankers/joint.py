"""The joint-objective metric (Stanojević & Sima'an 2017): learns with JAX, scores translations with numpy alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.segments import References, as_hypotheses, as_references
from tercet.errors import OptionError
from tercet.features.base import FeatureSet
from tercet.features.cache import FeatureCache
from tercet.features.registry import feature_set
from tercet.options import check_options
from tercet.rankers.base import Calibrated
from tercet.rankers.calibration import Calibration, sigmoid
from tercet.rankers.isotonic import Isotonic
from tercet.rankers.pairs import Pairs
from tercet.signature import Signature

if TYPE_CHECKING:
    from tercet.corpus.judged import JudgedTexts
    from tercet.rankers.attribution import Between
    from tercet.rankers.joint_fitting import Fitted

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
Progress = Callable[[int, NDArray[np.float32]], None]


@dataclass(frozen=True, kw_only=True)
class JointOptions:
    """What section 3 of Stanojević & Sima'an (2017) sets, and what goes beyond it."""

    objective: Literal["sentence", "corpus", "joint"] = "joint"
    alpha: float = 0.5
    """Of the joint objective: the weight of the loss of sentences; the rest is that of corpora."""
    hidden: int = 0
    """Nodes of a hidden layer beside the linear part; 0 for the paper's linear model."""
    scaling: Literal["none", "standard"] = "none"
    """`standard`: every feature with mean 0 and standard deviation 1 in the training data."""
    center: bool = False
    """Sets the bias so that the median segment of the training data scores ½: the loss of sentences leaves it open."""
    epochs: int = 200
    batch: int = 2000
    """Judgments of sentences in a batch; of corpora there is one pair in each."""
    learning_rate: float = 1e-3
    l2: float = 1e-3
    select: Literal["score", "loss"] = "score"
    """The best epoch by what the objective is good for (tau, Pearson's r, both by α), or by the objective itself."""
    assessed_pairs: int = 10
    """Pairs of sentences drawn for every direct assessment."""
    assessed_difference: float = 0.0
    """Standard deviations by which the assessments of a pair must differ."""
    seed: int = 1

    def __post_init__(self) -> None:
        check_options(self)
        least = {
            "hidden": 0,
            "epochs": 1,
            "batch": 1,
            "seed": 0,
            "assessed_pairs": 0,
            "assessed_difference": 0,
            "l2": 0,
        }
        for name, low in least.items():
            if not low <= getattr(self, name) < float("inf"):
                raise OptionError(f"joint: {name}={getattr(self, name)} is not allowed; it takes {low} or more")
        if not 0 <= self.alpha <= 1:
            raise OptionError(f"joint: alpha={self.alpha} is not allowed; it takes a number from 0 to 1")
        if not 0 < self.learning_rate < float("inf"):
            raise OptionError(f"joint: learning_rate={self.learning_rate} is not allowed; it must be above 0")


class Weights(NamedTuple):
    """What is learned, as float32: a linear part, a hidden layer that may have no nodes, the scales of features."""

    linear: Floats
    bias: Floats
    hidden: Floats
    hidden_bias: Floats
    output: Floats
    center: Floats
    scale: Floats
    deviation: Floats
    """Of each feature in the training data: what makes weights comparable."""

    @staticmethod
    def shapes(features: int, hidden: int) -> dict[str, tuple[int, ...]]:
        """The shape that each array must have."""
        rows = (features,)
        shapes = (rows, (1,), (features, hidden), (hidden,), (hidden,), rows, rows, rows)
        return dict(zip(Weights._fields, shapes, strict=True))

    def forward(self, rows: Floats) -> Array:
        """The score before the sigmoid: φᵀw + b, and what the hidden layer adds."""
        scaled = (rows.astype(np.float64) - self.center) / self.scale
        linear = scaled @ self.linear.astype(np.float64) + float(self.bias[0])
        hidden = np.tanh(scaled @ self.hidden.astype(np.float64) + self.hidden_bias)
        return np.asarray(linear + hidden @ self.output.astype(np.float64), np.float64)


@dataclass
class JointRanker(Calibrated):
    """A metric with scores between 0 and 1 that learned from people; `fit` or `load` it before use."""

    features: tuple[str, ...] = ("beer57",)
    """Feature sets by name; all their columns stand side by side."""
    options: JointOptions = field(default_factory=JointOptions)
    cache: FeatureCache = field(default_factory=FeatureCache, repr=False)

    weights_: Weights | None = field(default=None, init=False, repr=False)
    calibration_: Calibration = field(default_factory=Calibration, init=False, repr=False)
    assessment_: Isotonic | None = field(default=None, init=False, repr=False)
    """From scores to direct assessments, where the validation data held some."""
    card_: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    digest_: str = field(default="unfitted", init=False, repr=False)

    @cached_property
    def feature_sets(self) -> list[FeatureSet]:
        """The sets that `features` names."""
        if not self.features:
            raise OptionError("a metric needs features; name some, such as beer57")
        return [feature_set(spec) for spec in self.features]

    @property
    def names(self) -> tuple[str, ...]:
        """What the weights are of; a feature is named after its set where there are several."""
        if len(self.feature_sets) == 1:
            return self.feature_sets[0].names
        pairs = zip(self.features, self.feature_sets, strict=True)
        return tuple(name if spec == name else f"{spec}/{name}" for spec, one in pairs for name in one.names)

    def fit(self, pairs: Pairs, validation: Pairs | None = None, *, progress: Progress | None = None) -> Self:
        """Learns from the pairs that somebody won. Without validation data a tenth of the segments is held out."""
        from tercet.rankers.judged_data import from_pairs

        return self.fit_judged(
            from_pairs(pairs), None if validation is None else from_pairs(validation), progress=progress
        )

    def fit_judged(
        self,
        judged: Sequence[JudgedTexts],
        validation: Sequence[JudgedTexts] | None = None,
        *,
        progress: Progress | None = None,
    ) -> Self:
        """Learns from comparisons, from assessments, or from both, of any number of language pairs."""
        from tercet.rankers.joint_fitting import fit
        from tercet.rankers.judged_data import hold_out

        if validation is None:
            judged, validation = hold_out(judged, 0.1, self.options.seed)
        self.adopt(fit(self.feature_sets, self.options, judged, validation, cache=self.cache, progress=progress))
        return self

    def adopt(self, fitted: Fitted) -> None:
        """Takes over what a training found."""
        self.set_learned(fitted.weights, fitted.calibration, fitted.assessment)
        self.card_ = dict(fitted.card)

    def set_learned(self, weights: Weights, calibration: Calibration, assessment: Isotonic | None) -> None:
        """All that is learned, from a training or from a file."""
        from tercet.rankers.joint_models import digest

        self.weights_, self.calibration_, self.assessment_ = weights, calibration, assessment
        self.digest_ = digest(weights, calibration, assessment)

    @property
    def signature(self) -> Signature:
        """The model's hash, its objective and its features."""
        return Signature.of(
            "joint",
            model=self.digest_[:16],
            objective=self.options.objective,
            alpha=self.options.alpha if self.options.objective == "joint" else None,
            hidden=self.options.hidden,
            features="+".join(self.features),
        )

    def activation(
        self, hypotheses: Sequence[str], references: References, sources: Sequence[str] | None = None
    ) -> Array:
        """forward(φ) of every segment: the score before the sigmoid."""
        if self.weights_ is None:
            raise OptionError("this metric has learned nothing; call fit, or load a model")
        texts = as_hypotheses(hypotheses)
        sets = as_references(references, len(texts))
        parts = [self.cache.transform(one, texts, sets, sources) for one in self.feature_sets]
        return self.weights_.forward(np.concatenate(parts, axis=1))

    def score(self, hypotheses: Sequence[str], references: References, sources: Sequence[str] | None = None) -> Array:
        """sentScore of every segment, between 0 and 1; the corpus score is their mean."""
        return sigmoid(self.activation(hypotheses, references, sources))

    def assessment(
        self, hypotheses: Sequence[str], references: References, sources: Sequence[str] | None = None
    ) -> Array:
        """The direct assessment to be expected of every segment, on the scale of the data: z-scores in WMT."""
        if self.assessment_ is None:
            raise OptionError("this model is not calibrated to direct assessments; train it with some for validation")
        return self.assessment_(self.score(hypotheses, references, sources))

    def margin(
        self,
        first: Sequence[str],
        second: Sequence[str],
        references: References,
        sources: Sequence[str] | None = None,
    ) -> Array:
        """Above 0 where the first translation is better; margin(a, b) == -margin(b, a)."""
        return self.activation(first, references, sources) - self.activation(second, references, sources)

    def contributions(
        self, systems: Sequence[Sequence[str]], references: References, sources: Sequence[str] | None = None
    ) -> Between:
        """What each feature adds to the margin of any two of some systems; see `tercet.rankers.attribution`."""
        from tercet.rankers.attribution import joint_contributions

        return joint_contributions(self, systems, references, sources)

    def explained(self) -> list[tuple[str, float, float]]:
        """Features, their weights and their effects: what a standard deviation more does to the score's activation.

        From the most positive effect to the most negative; a hidden layer adds what no single weight tells.
        """
        if self.weights_ is None:
            raise OptionError("this metric has learned nothing; call fit, or load a model")
        weights = self.weights_.linear.astype(np.float64) / self.weights_.scale
        effects = weights * self.weights_.deviation
        found = zip(self.names, weights.tolist(), effects.tolist(), strict=True)
        return sorted(found, key=lambda one: -one[2])

    def save(self, path: Path) -> None:
        """Writes the model's folder, which appears whole or not at all."""
        from tercet.rankers.joint_models import save

        save(self, Path(path))

    @classmethod
    def load(cls, path: Path, *, cache: FeatureCache | None = None) -> JointRanker:
        """The model of a folder; nothing in it is run."""
        from tercet.rankers.joint_models import load

        return load(Path(path), cache=cache)
