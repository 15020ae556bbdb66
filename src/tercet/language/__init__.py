"""Text to tokens, and whatever else is known of a language: tags, chunks, discourse, trees."""

from __future__ import annotations

from tercet.language.analysis import Analysis, Analyzer, analyze, get_analyzer
from tercet.language.drawing import Drawing, draw
from tercet.language.trees import Tree

__all__ = ["Analysis", "Analyzer", "Drawing", "Tree", "analyze", "draw", "get_analyzer"]
