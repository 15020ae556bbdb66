"""Which scorer beats which: a matrix of p-values as text, as plain data and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tercet.errors import OptionError, ShapeError


@dataclass(frozen=True, eq=False)
class SignificanceMatrix:
    """Scorers from the best to the worst, and how likely the lead of each over each other one is by chance.

    `p_values[i, j]` is of the test that scorer i is better than scorer j, or of a two-sided one, the same both ways;
    NaN where the two were not or cannot be compared. Made by `significance_matrix`.
    """

    names: tuple[str, ...]
    values: NDArray[np.float64]
    p_values: NDArray[np.float64]
    alpha: float
    statistic: str
    test: str

    @property
    def beats(self) -> NDArray[np.bool_]:
        """Where the scorer of the row has the higher value and its p-value is below alpha."""
        higher: NDArray[np.bool_] = self.values[:, None] > self.values[None, :]
        with np.errstate(invalid="ignore"):
            return higher & (self.p_values < self.alpha)

    def to_dict(self) -> dict[str, Any]:
        """Plain values ready for JSON; null where there is no p-value."""
        return {
            "statistic": self.statistic,
            "test": self.test,
            "alpha": self.alpha,
            "scorers": list(self.names),
            "values": [_number(value) for value in self.values],
            "p_values": [[_number(p) for p in row] for row in self.p_values],
            "beats": self.beats.tolist(),
        }

    def to_text(self, decimals: int = 3) -> str:
        """A table: `>` where the row beats the column, `<` where the column beats the row, then the p-value."""
        n = len(self.names)
        beats = self.beats
        heads = ["", self.statistic, *(str(j + 1) for j in range(n))]
        rows = [
            [
                f"{i + 1} {self.names[i]}",
                f"{self.values[i]:.{decimals}f}",
                *(self._cell(i, j, beats) for j in range(n)),
            ]
            for i in range(n)
        ]
        widths = [max(len(row[k]) for row in [heads, *rows]) for k in range(n + 2)]
        lines = [
            "  ".join(
                cell.ljust(width) if k == 0 else cell.rjust(width)
                for k, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            for row in [heads, *rows]
        ]
        legend = f"> row beats column, < column beats row ({self._tested()})"
        return "\n".join(line.rstrip() for line in [*lines, legend]) + "\n"

    def to_svg(self) -> str:
        """A picture that needs nothing else: filled cells where the row beats the column; light and dark."""
        from tercet.agreement.matrix_svg import draw

        return draw(self)

    def _cell(self, i: int, j: int, beats: NDArray[np.bool_]) -> str:
        if i == j:
            return "·"
        return (">" if beats[i, j] else "<" if beats[j, i] else "") + p_text(float(self.p_values[i, j]))

    def _tested(self) -> str:
        return (f"{self.test}, " if self.test else "") + f"p < {self.alpha:g}"


def significance_matrix(
    names: Sequence[str],
    values: ArrayLike,
    p_values: ArrayLike,
    *,
    alpha: float = 0.05,
    statistic: str = "value",
    test: str = "",
) -> SignificanceMatrix:
    """The matrix of `names` sorted by `values` (higher is better; equal ones keep their order), checked.

    `p_values` are given as they are to be read, corrected for many comparisons or not; `test` says how they were made.
    """
    scores, p = np.array(values, dtype=np.float64), np.array(p_values, dtype=np.float64)
    n = len(names)
    if scores.shape != (n,) or p.shape != (n, n):
        raise ShapeError(
            f"{n} scorers, values of shape {scores.shape}, p-values of shape {p.shape}; give n, n and n × n"
        )
    if n == 0:
        raise ShapeError("no scorers to compare")
    if len(set(names)) < n:
        twice = next(name for name in names if list(names).count(name) > 1)
        raise ShapeError(f"two scorers are called {twice!r}; give each a name of its own")
    if not np.isfinite(scores).all():
        i = int(np.flatnonzero(~np.isfinite(scores))[0])
        raise ShapeError(f"scorer {names[i]!r} has value {scores[i]}; leave it out or mend its scores")
    np.fill_diagonal(p, np.nan)
    if ((p < 0) | (p > 1)).any():
        i, j = map(int, np.argwhere((p < 0) | (p > 1))[0])
        raise ShapeError(f"the p-value of {names[i]!r} against {names[j]!r} is {p[i, j]}; it lies between 0 and 1")
    if not 0 < alpha < 1:
        raise OptionError(f"alpha={alpha}; it is between 0 and 1 (usual: 0.05)")
    order = np.argsort(-scores, kind="stable")
    return SignificanceMatrix(
        tuple(names[i] for i in order), scores[order], p[np.ix_(order, order)], alpha, statistic, test
    )


def p_text(p: float) -> str:
    """A p-value as papers print it: three digits, without the zero before the point."""
    if np.isnan(p):
        return "–"
    return "1.00" if p >= 0.9995 else f"{p:.3f}"[1:]


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
