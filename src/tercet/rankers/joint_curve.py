"""The curve of α as a picture: what sentences and corpora gain and lose as the one or the other counts more."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from tercet.rankers.joint_fitting import AlphaPoint

_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 480, 340, 30, 66, 44
_LINES = (
    ("tau of sentences", "tau", "#1b6ca8"),
    ("Pearson's r of corpora", "pearson", "#c0392b"),
    ("mean", "score", "#444"),
)


def alpha_svg(points: Sequence[AlphaPoint], chosen: float) -> str:
    """An SVG with the three lines over α, each on its own scale from its lowest to its highest value."""
    ordered = sorted(points, key=lambda point: point.alpha)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        'font-size="11">',
        f"<title>Agreement on validation data by α; chosen {chosen:g}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
    ]
    for tenth in range(0, 11, 2):
        x = _x(tenth / 10)
        parts.append(f'<line x1="{x:.1f}" y1="{_TOP}" x2="{x:.1f}" y2="{_HEIGHT - _BOTTOM}" stroke="#eee"/>')
        parts.append(f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 14}" text-anchor="middle">{tenth / 10:g}</text>')
    parts.append(f'<text x="{_x(0.5):.1f}" y="{_HEIGHT - 6}" text-anchor="middle">α: the weight of sentences</text>')
    mark = _x(chosen)
    ends = f'x1="{mark:.1f}" y1="{_TOP}" x2="{mark:.1f}" y2="{_HEIGHT - _BOTTOM}"'
    parts.append(f'<line {ends} stroke="#999" stroke-dasharray="4 3"/>')
    for place, (name, attribute, color) in enumerate(_LINES):
        values = [getattr(point, attribute) for point in ordered]
        low, high = min(values), max(values)
        corners = [
            (_x(point.alpha), _y(0.5 if high == low else (value - low) / (high - low)))
            for point, value in zip(ordered, values, strict=True)
        ]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in corners]
        label = escape(f"{name}: {low:.4f} to {high:.4f}")
        parts.append(f'<text x="{_LEFT}" y="{16 + 16 * place}" fill="{color}">{label}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _x(alpha: float) -> float:
    return _LEFT + alpha * (_WIDTH - _LEFT - 20)


def _y(height: float) -> float:
    low, high = _HEIGHT - _BOTTOM - 10, _TOP + 10
    return low - height * (low - high)
