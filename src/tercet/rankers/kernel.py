"""The preference SVM over tree kernels: finds its own features in syntax and discourse (Guzmán et al. 2014)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.segments import References, as_hypotheses, as_references
from tercet.errors import OptionError, ShapeError
from tercet.features.cache import FeatureCache
from tercet.features.registry import feature_set
from tercet.language.trees import Tree
from tercet.options import check_options
from tercet.rankers.base import Calibrated
from tercet.rankers.calibration import Calibration
from tercet.rankers.pairs import Pairs
from tercet.rankers.tree_pairs import Grove, TreeKernels, TreeOptions
from tercet.signature import Signature

if TYPE_CHECKING:
    from tercet.rankers.attribution import Between
    from tercet.rankers.tree_explanation import Explanation

Array = NDArray[np.float64]
Progress = Callable[[int, int], None]
"""Called with the translations whose kernels are done and how many there are."""


@dataclass(frozen=True, kw_only=True)
class KernelOptions:
    """What the SVM over trees learns from, and how: trees, features beside them, machine, what is chosen among."""

    trees: TreeOptions = field(default_factory=TreeOptions)
    features: tuple[str, ...] = ()
    """Feature sets beside the trees, such as 4metrics."""
    exact: int = 10_000
    """Up to so many training pairs the SVM is exact; beyond, it is linear over Nyström's features."""
    landmarks: int = 1000
    """Of Nyström's features: translations with their references, drawn from the training data."""
    costs: tuple[float, ...] = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
    """C: candidates for cross-validation by segment inside of the training data; one alone is taken as it is."""
    weights: tuple[float, ...] = (0.1, 1.0, 10.0)
    """Of the feature sets' kernel beside that of the trees: candidates likewise."""
    folds: int = 3
    seed: int = 1

    def __post_init__(self) -> None:
        check_options(self)
        for name, least in {"exact": 0, "landmarks": 1, "folds": 2, "seed": 0}.items():
            if getattr(self, name) < least:
                raise OptionError(f"kernel: {name}={getattr(self, name)} is not allowed; it takes {least} or more")
        for name in ("costs", "weights"):
            values = getattr(self, name)
            if not values or not all(isinstance(one, int | float) and 0 < one < float("inf") for one in values):
                raise OptionError(f"kernel: {name}={values!r} is not allowed; it takes numbers above 0, one or more")


@dataclass
class KernelRanker(Calibrated):
    """Tells which of two translations is better by their trees; `fit` or `load` it before use.

    A margin is a difference of two scores, and a score the sum of weight × kernel over the support: trees of judged
    translations and of their references.
    """

    options: KernelOptions = field(default_factory=KernelOptions)
    cache: FeatureCache = field(default_factory=FeatureCache.default, repr=False)

    hypotheses_: tuple[Tree, ...] = field(default=(), init=False, repr=False)
    references_: tuple[Tree, ...] = field(default=(), init=False, repr=False)
    weights_: Array = field(default_factory=lambda: np.zeros(0), init=False, repr=False)
    feature_weights_: Array = field(default_factory=lambda: np.zeros(0), init=False, repr=False)
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
        report: Callable[[str], None] | None = None,
    ) -> Self:
        """Learns from the pairs that somebody won. Without validation data a tenth of the segments is held out."""
        from tercet.rankers.kernel_fitting import fit

        if validation is None:
            pairs, validation = pairs.hold_out(max(1, len(pairs.untied()) // 10), self.options.seed)
        fit(self, pairs, validation, progress=progress, report=report)
        return self

    def set_learned(
        self,
        hypotheses: Sequence[Tree],
        references: Sequence[Tree],
        weights: Array,
        feature_weights: Array,
        calibration: Calibration,
    ) -> None:
        """All that is learned, from a training or from a file."""
        from tercet.rankers.kernel_models import digest

        self.hypotheses_, self.references_ = tuple(hypotheses), tuple(references)
        # as a model's file keeps them, so that a model that was saved gives the same digits
        self.weights_ = np.asarray(weights, np.float32).astype(np.float64)
        self.feature_weights_ = np.asarray(feature_weights, np.float32).astype(np.float64)
        self.calibration_ = calibration
        self.digest_ = digest(self)

    @property
    def signature(self) -> Signature:
        """The model's hash, its trees and its features."""
        items = [item for item in self.options.trees.signature.items if item[0] != "weights"]
        shown = ("features", "+".join(self.options.features) or "none")
        return Signature("kernel", (("model", self.digest_[:16]), *items, shown))

    def scores(self, hypotheses: Sequence[str], references: References, sources: Sequence[str] | None = None) -> Array:
        """A score of each translation by itself: margins are their differences."""
        if not len(self.weights_):
            raise OptionError("this ranker has learned nothing; call fit, or load a model")
        texts = as_hypotheses(hypotheses)
        sets = as_references(references, len(texts))
        kernels = TreeKernels(self.options.trees, self.hypotheses_, self.references_, Grove(self.options.trees))
        found = np.concatenate(
            [np.zeros(0)]
            + [
                kernels.transform(texts[start : start + 2000], sets[start : start + 2000]) @ self.weights_
                for start in range(0, len(texts), 2000)
            ]
        )
        if self.options.features and len(texts):
            columns = [self.cache.transform(feature_set(spec), texts, sets, sources) for spec in self.options.features]
            found += np.concatenate(columns, axis=1) @ self.feature_weights_
        return found

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
        """The margin of every two of some systems, (systems, systems, segments)."""
        lengths = {len(system) for system in systems}
        if len(lengths) > 1:
            raise ShapeError(f"systems of {', '.join(map(str, sorted(lengths)))} segments cannot be compared")
        scores = np.stack([self.scores(system, references, sources) for system in systems])
        return np.asarray(scores[:, None] - scores[None], np.float64)

    def contributions(
        self, systems: Sequence[Sequence[str]], references: References, sources: Sequence[str] | None = None
    ) -> Between:
        """What each kind of node in the trees, and each feature beside them, adds to the margin of any two systems."""
        from tercet.rankers.tree_contributions import kernel_contributions

        return kernel_contributions(self, systems, references, sources)

    def explain(self, first: str, second: str, references: Sequence[str], *, most: int = 10) -> Explanation:
        """Which fragments of the trees carried a decision, and how much each node of them did."""
        from tercet.rankers.tree_explanation import explain

        return explain(self, first, second, references, most=most)

    def save(self, path: Path) -> None:
        """Writes the model's folder, which appears whole or not at all."""
        from tercet.rankers.kernel_models import save

        save(self, Path(path))

    @classmethod
    def load(cls, path: Path, *, cache: FeatureCache | None = None) -> KernelRanker:
        """The model of a folder; nothing in it is run."""
        from tercet.rankers.kernel_models import load

        return load(Path(path), cache=cache)
