"""Texts as they are judged: segments, their references, the systems that translated them."""

from tercet.corpus.corpus import Batch, Corpus
from tercet.corpus.lines import Lines
from tercet.corpus.reading import read
from tercet.corpus.segments import as_hypotheses, as_references

__all__ = ["Batch", "Corpus", "Lines", "as_hypotheses", "as_references", "read"]
