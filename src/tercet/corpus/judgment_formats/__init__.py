"""The files that judgments come in, one module a format; `read_judgments` knows them by what they look like."""

from tercet.corpus.judgment_formats.recognise import FORMATS, read_judgments, recognise

__all__ = ["FORMATS", "read_judgments", "recognise"]
