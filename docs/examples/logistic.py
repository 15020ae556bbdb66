"""A ranker of one's own: logistic regression on the difference of two translations' features."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tercet.corpus.segments import References, as_references
from tercet.errors import InputError, OptionError
from tercet.features import feature_set
from tercet.output import whole_folder
from tercet.rankers.attribution import Between, Contributions, feature_names
from tercet.rankers.base import Calibrated
from tercet.rankers.calibration import Calibration, calibrate, sigmoid
from tercet.rankers.pairs import Pairs
from tercet.signature import Signature

Array = NDArray[np.float64]
FORMAT = "example-logistic"  # what a model's folder says it is; the entry point has the same name


@dataclass
class LogisticRanker(Calibrated):
    """margin(a, b) = weights · (features of a − features of b), so margin(b, a) is its opposite."""

    features: tuple[str, ...] = ("beer57",)
    l2: float = 1.0
    weights_: Array = field(default_factory=lambda: np.zeros(0), init=False, repr=False)
    calibration_: Calibration = field(default_factory=Calibration, init=False, repr=False)

    @property
    def signature(self) -> Signature:
        digest = hashlib.sha256(self.weights_.tobytes()).hexdigest()[:16]
        return Signature.of("logistic", model=digest, features="+".join(self.features))

    def fit(self, pairs: Pairs, validation: Pairs | None = None) -> Self:
        """Learns from the pairs that somebody won, by Newton's method; a tenth is held out to be calibrated on."""
        if validation is None:
            pairs, validation = pairs.hold_out(max(1, len(pairs.untied()) // 10), seed=1)
        decided = pairs.require_untied("training")
        rows = self._differences(decided) * decided.value[:, None]  # turned so that the winner stands first
        self.weights_ = np.zeros(rows.shape[1])
        for _ in range(30):
            right = sigmoid(rows @ self.weights_)
            slope = rows.T @ (right - 1) + self.l2 * self.weights_
            curve = (rows * (right * (1 - right))[:, None]).T @ rows + self.l2 * np.eye(rows.shape[1])
            self.weights_ -= np.linalg.solve(curve, slope)
        self.calibration_ = calibrate(self._differences(validation) @ self.weights_, validation.value)
        return self

    def margin(
        self,
        first: Sequence[str],
        second: Sequence[str],
        references: References,
        sources: Sequence[str] | None = None,
    ) -> Array:
        if not len(self.weights_):
            raise OptionError("this ranker has learned nothing; call fit, or load a model")
        one, other = (self._columns(texts, references, sources) for texts in (first, second))
        return np.asarray((one - other) @ self.weights_, np.float64)

    def contributions(
        self, systems: Sequence[Sequence[str]], references: References, sources: Sequence[str] | None
    ) -> Between:
        """What each feature adds to a margin. Optional: with it `--explain` and the report take verdicts apart."""
        every = [self._columns(texts, references, sources) for texts in systems]
        names = feature_names(self.features, [feature_set(spec) for spec in self.features])

        def between(first: int, second: int) -> Contributions:
            one, other = every[first], every[second]
            return Contributions(names, (one - other) * self.weights_, one, other)

        return between

    def save(self, path: Path) -> None:
        """A folder with `config.json`, which appears whole or not at all."""
        config = {
            "format": FORMAT,
            "features": self.features,
            "signatures": [str(feature_set(spec).signature) for spec in self.features],
            "weights": self.weights_.tolist(),
            "calibration": asdict(self.calibration_),
        }
        with whole_folder(path, replaces="config.json") as folder:
            (folder / "config.json").write_text(json.dumps(config), "utf-8")

    def _columns(self, texts: Sequence[str], references: References, sources: Sequence[str] | None) -> Array:
        sets = as_references(references, len(texts))
        found = [feature_set(spec).transform(texts, sets, sources) for spec in self.features]
        return np.concatenate(found, axis=1).astype(np.float64)

    def _differences(self, pairs: Pairs) -> Array:
        found = np.zeros((len(pairs), sum(len(feature_set(spec).names) for spec in self.features)))
        for number, one in enumerate(pairs.texts):
            chosen = np.flatnonzero(pairs.text == number)
            references = [tuple(texts) for texts in one.corpus.references]
            sources = None if one.corpus.sources is None else list(one.corpus.sources)
            every = np.stack([self._columns(list(texts), references, sources) for texts in one.corpus.systems.values()])
            segment, first, second = pairs.segment[chosen], pairs.first[chosen], pairs.second[chosen]
            found[chosen] = every[first, segment] - every[second, segment]
        return found


def load(path: Path) -> LogisticRanker:
    """The ranker of a folder. It is data: nothing in it is run, and what does not fit is an error."""
    file = path / "config.json"
    try:
        config = json.loads(file.read_text("utf-8"))
        ranker = LogisticRanker(tuple(map(str, config["features"])))
        ranker.weights_ = np.array(config["weights"], np.float64)
        ranker.calibration_ = Calibration(**config["calibration"])
        signatures = [str(feature_set(spec).signature) for spec in ranker.features]
    except (KeyError, TypeError, ValueError, OSError) as error:
        raise InputError(f"is not a model's configuration ({error})", file=file) from error
    if signatures != config.get("signatures"):
        raise InputError("was trained with other features", file=file, remedy="train it again with this tercet")
    return ranker
