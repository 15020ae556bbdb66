"""The page around the data: what can be read without a script, and the rules that keep everything else out."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from html import escape
from importlib.resources import files

from tercet.compare.comparison import Comparison, Ranked
from tercet.compare.names import short_names
from tercet.compare.presentation import headline, setting, verdict
from tercet.compare.words import ALPHA, EFFECTS, counted, p_phrase

SCRIPTS = ("theme.js", "data.js", "charts.js", "words.js", "trees.js", "why.js", "segments.js", "main.js")
"""In this order; they share one scope."""
_SCORES = {
    "model": "Score: how often, in percent, people are expected to prefer the system’s translation to another one.",
    "metric": "Score: how often, in percent, the metric prefers the system’s translation to another one, ties by half.",
}
_FIELD = re.compile(r"\{\{([a-z]+)\}\}")


def page(comparison: Comparison, payload: str) -> str:
    """One HTML file that asks for nothing from anywhere."""
    style, script = asset("report.css"), bundle(asset(name) for name in SCRIPTS)
    names = dict(zip(comparison.systems, short_names(comparison.systems), strict=True))
    fields = {
        "policy": policy(),
        "style": style,
        "script": script,
        "title": escape(f"tercet: {headline(comparison)}"),
        "headline": escape(headline(comparison)),
        "setting": escape(setting(comparison)),
        "ranking": _ranking(comparison, names),
        "matrix": _matrix(comparison, names),
        "score": _SCORES[comparison.kind],
        "tests": escape(_tests(comparison)),
        "effects": escape(_effects()),
        "signature": escape(comparison.signature),
        "notes": "".join(f"<li>{escape(note)}</li>" for note in comparison.notes),
        "data": payload,
    }
    # one pass: what a field holds is never looked at again, whatever it says
    return _FIELD.sub(lambda match: fields[match[1]], asset("report.html"))


def policy() -> str:
    """The Content-Security-Policy of every report: its own style and script, by hash, and nothing else."""
    style, script = asset("report.css"), bundle(asset(name) for name in SCRIPTS)
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def bundle(scripts: Iterable[str]) -> str:
    """Scripts in one scope of their own."""
    return "(() => {\n'use strict';\n" + "\n".join(scripts) + "\n})();\n"


def asset(name: str) -> str:
    """One of the files that the page is made of."""
    return (files("tercet.compare.report") / "assets" / name).read_text("utf-8")


def _digest(content: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"


def _ranking(comparison: Comparison, names: dict[str, str]) -> str:
    low = min(ranked.score_low for ranked in comparison.ranking)
    high = max(ranked.score_high for ranked in comparison.ranking)
    rows, cluster = [], 0
    for ranked in comparison.ranking:
        begins = ' class="begins"' if ranked.cluster != cluster and cluster else ""
        cluster = ranked.cluster
        rank = str(ranked.rank) if ranked.rank_low == ranked.rank_high else f"{ranked.rank_low}–{ranked.rank_high}"
        rows.append(
            f'<tr{begins}><td class="number">{rank}</td>'
            f'<th scope="row"><bdi title="{escape(ranked.system)}">{escape(names[ranked.system])}</bdi></th>'
            f'<td class="picture">{_whiskers(ranked, low, high)}</td>'
            f'<td class="number strong score">{ranked.score:.1f}</td>'
            f'<td class="number faint wide">{ranked.score_low:.1f} to {ranked.score_high:.1f}</td>'
            f'<td class="number wins">{100 * ranked.win_rate:.0f} %</td>'
            f'<td class="number wide" title="95 %: {ranked.strength_low:+.3f} to {ranked.strength_high:+.3f}">'
            f"{_signed(ranked.strength)}</td>"
            f'<td class="number wide">{ranked.cluster}</td></tr>'
        )
    return "\n".join(rows)


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")


def _whiskers(ranked: Ranked, low: float, high: float) -> str:
    def x(value: float) -> str:
        return f"{3 + 94 * ((value - low) / (high - low) if high > low else 0.5):.2f}%"

    left, middle, right = x(ranked.score_low), x(ranked.score), x(ranked.score_high)
    label = f"score {ranked.score:.1f}, between {ranked.score_low:.1f} and {ranked.score_high:.1f} with 95 % confidence"
    return (
        f'<svg class="whiskers" role="img" aria-label="{label}">'
        '<line class="rail" x1="0%" x2="100%" y1="11" y2="11"/>'
        f'<line class="reach" x1="{left}" x2="{right}" y1="11" y2="11"/>'
        f'<line class="reach" x1="{left}" x2="{left}" y1="6" y2="16"/>'
        f'<line class="reach" x1="{right}" x2="{right}" y1="6" y2="16"/>'
        f'<circle class="middle" cx="{middle}" cy="11" r="4.5"/></svg>'
    )


def _matrix(comparison: Comparison, names: dict[str, str]) -> str:
    order = [ranked.system for ranked in comparison.ranking]
    number = {system: i for i, system in enumerate(comparison.systems)}
    head = "".join(
        f'<th scope="col" title="{escape(names[name])}"><span>{place}</span></th>'
        for place, name in enumerate(order, start=1)
    )
    rows = [f'<thead><tr><td></td><th scope="col" class="side">System</th>{head}</tr></thead><tbody>']
    for place, row in enumerate(order, start=1):
        cells = [f'<td class="number faint">{place}</td><th scope="row"><bdi>{escape(names[row])}</bdi></th>']
        for column in order:
            if row == column:
                cells.append('<td class="self">·</td>')
                continue
            pair = comparison.pair(row, column)
            level = max(-5, min(5, round((pair.win_rate - 0.5) * 14)))
            heat = f"heat{'m' if level < 0 else 'p'}{abs(level)}"
            shown = f"{100 * pair.win_rate:.0f}"
            label = f"{names[row]} against {names[column]}: wins {shown} %, {verdict(pair)}, {p_phrase(pair.p_shown)}"
            cells.append(
                f'<td class="{heat}{" shown" if pair.shown else ""}">'
                f'<button type="button" data-first="{number[row]}" data-second="{number[column]}" '
                f'title="{escape(label)}" aria-label="{escape(label)}">{shown}</button></td>'
            )
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join([*rows, "</tbody>"])


def _tests(comparison: Comparison) -> str:
    return (
        f"Bold: a difference is shown. Paired permutation test and paired bootstrap of the margins, "
        f"{comparison.samples:,} samples each, both below {ALPHA} after Holm's correction over "
        f"{counted(len(comparison.pairs), 'pair')}."
    )


def _effects() -> str:
    (far, _), (clear, _), (slight, _), _ = EFFECTS
    text = (
        f"A system that wins {100 * far:.0f} % of segments or more, ties by half, is far better; "
        f"from {100 * clear:.0f} % clearly, from {100 * slight:.0f} % slightly, else barely (Vargha & Delaney 2000)."
    )
    return text.replace(" %", "\N{NO-BREAK SPACE}%")
