"""The significance matrix as an SVG that needs no font, script or file besides itself."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from tercet.agreement.matrix import p_text

if TYPE_CHECKING:
    from tercet.agreement.matrix import SignificanceMatrix

_CELL = 44
_LETTER = 7.2  # a generous width for a letter of 12 px, since the viewer's font is not known

# Colours are a blue that colour-blind readers tell from grey; text on it is white in both schemes.
_STYLE = """
.page { fill: #ffffff } .ink { fill: #1f2933 } .quiet { fill: #5f6c7b }
.win { fill: #1f66b5 } .even { fill: #eef1f4 } .self { fill: #d5dbe1 } .won { fill: #ffffff }
@media (prefers-color-scheme: dark) {
  .page { fill: #14181d } .ink { fill: #e6eaee } .quiet { fill: #9aa7b4 }
  .win { fill: #3b82d0 } .even { fill: #242b33 } .self { fill: #39434e }
}
text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif }
.p { font-size: 11px; text-anchor: middle } .value { text-anchor: end } .head { font-weight: 600 }
""".strip()


def draw(matrix: SignificanceMatrix) -> str:
    """The picture: a row and a column a scorer, the best first; a filled cell says that its row beats its column."""
    n = len(matrix.names)
    values = [f"{value:.3f}" for value in matrix.values]
    name_width = _LETTER * max(map(len, matrix.names))
    value_width = _LETTER * max(len(matrix.statistic), *map(len, values))
    left = round(16 + name_width + 14 + value_width + 12)
    top = round(20 + name_width * 0.72 + 14)
    legend = f"filled: the row beats the column ({matrix._tested()}); numbers are p-values"
    # A slanted name reaches to the right of its column; the last cell and the legend set the least width.
    reach = [(k + 0.5) * _CELL + 0.72 * _LETTER * len(name) for k, name in enumerate(matrix.names)]
    width = round(max(left + max(n * _CELL, *reach) + 16, 32 + _LETTER * len(legend)))
    height = top + n * _CELL + 40
    beats = matrix.beats

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{_attribute("Which scorer beats which, by " + matrix.statistic)}">',
        f"<style>{_STYLE}</style>",
        f'<rect class="page" width="{width}" height="{height}"/>',
        f'<text class="quiet value" x="{left - 12}" y="{top - 10}">{escape(matrix.statistic)}</text>',
    ]
    for k, name in enumerate(matrix.names):
        middle = k * _CELL + _CELL / 2
        slanted = f"translate({left + middle + 4:g} {top - 10}) rotate(-45)"
        parts += [
            f'<text class="ink head" x="16" y="{top + middle + 4:g}">{escape(name)}</text>',
            f'<text class="ink value" x="{left - 12}" y="{top + middle + 4:g}">{values[k]}</text>',
            f'<text class="ink" transform="{slanted}">{escape(name)}</text>',
        ]
    for i in range(n):
        for j in range(n):
            x, y = left + j * _CELL, top + i * _CELL
            kind = "self" if i == j else "win" if beats[i, j] else "even"
            cell = f'<rect class="{kind}" x="{x + 1}" y="{y + 1}" width="{_CELL - 2}" height="{_CELL - 2}" rx="3"/>'
            if i != j:
                p = p_text(float(matrix.p_values[i, j]))
                said = "beats" if beats[i, j] else "does not beat"
                tip = escape(f"{matrix.names[i]} {said} {matrix.names[j]} (p = {p})")
                ink = "won" if beats[i, j] else "quiet"
                text = f'<text class="p {ink}" x="{x + _CELL // 2}" y="{y + _CELL // 2 + 4}">{p}</text>'
                cell = f"<g><title>{tip}</title>{cell}{text}</g>"
            parts.append(cell)
    parts += [f'<text class="quiet" x="16" y="{height - 14}">{escape(legend)}</text>', "</svg>"]
    return "\n".join(parts) + "\n"


def _attribute(text: str) -> str:
    return escape(text, {'"': "&quot;"})
