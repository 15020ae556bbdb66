"""Analyses written down: as drawings, as brackets, as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from tercet.language.analysis import Analysis, Kind
from tercet.language.discourse import Span
from tercet.language.drawing import draw


def report(analyses: Iterable[Analysis], form: str, kind: Kind) -> str:
    """All analyses: `text` draws their trees, `brackets` has a tree a line, `json` an object with all layers a line."""
    if form == "json":
        return "".join(json.dumps(_layers(analysis, kind), ensure_ascii=False) + "\n" for analysis in analyses)
    if form == "brackets":
        return "".join(f"{analysis.tree(kind)}\n" for analysis in analyses)
    return "\n".join(f"{draw(analysis.tree(kind)).text}\n" for analysis in analyses)


def _layers(analysis: Analysis, kind: Kind) -> dict[str, Any]:
    return {
        "text": analysis.text,
        "tokens": analysis.tokens,
        "starts": analysis.starts,
        "ends": analysis.ends,
        "tags": analysis.tags,
        "chunks": analysis.chunks,
        "sentences": analysis.sentences,
        "units": analysis.units,
        "relations": [_relation(span) for span in analysis.discourse.spans()] if analysis.discourse else [],
        "tree": str(analysis.tree(kind)),
    }


def _relation(span: Span) -> dict[str, Any]:
    # units from `start` to before `end`, made of those before `split` and those from it on
    name, nuclearity = span.relation or ("", "")
    return {
        "start": span.start,
        "split": span.children[0].end,
        "end": span.end,
        "relation": name,
        "nuclearity": nuclearity,
    }
