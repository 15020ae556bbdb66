"""Texts as they are judged: segments, their references, the systems that translated them."""

from tercet.corpus.segments import as_hypotheses, as_references

__all__ = ["as_hypotheses", "as_references"]
