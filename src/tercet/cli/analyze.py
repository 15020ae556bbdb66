"""`tercet analyze`: tags, chunks, discourse units and trees of sentences, to look at or to go on with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from tercet.cli import arguments
from tercet.errors import OptionError

Shape = Literal["text", "brackets", "json"]
Kind = Literal["SYN", "DIS", "DIS+POS", "DIS+SYN"]  # tercet.language has them too, but is imported only when needed


def analyze(
    sentences: Annotated[list[str] | None, typer.Argument(help="Sentences; each may be several, or none.")] = None,
    translations: Annotated[
        str | None, typer.Option("-t", "--translations", help="A file of them instead, one a line; - is stdin.")
    ] = None,
    analyzer: Annotated[
        str,
        typer.Option("--analyzer", help="english, which ships with tercet; stanford; spacy:MODEL; stanza:LANGUAGE."),
    ] = "english",
    kind: Annotated[Kind, typer.Option("--tree", help="The shape of the trees.")] = "DIS+SYN",
    form: Annotated[
        Shape, typer.Option("-f", "--format", help="A drawing, brackets on one line, or all layers as JSON lines.")
    ] = "text",
    picture: Annotated[Path | None, typer.Option("--draw", help="An SVG file, for one sentence.")] = None,
    output: arguments.Output = None,
    threads: arguments.Threads = 0,
) -> None:
    """Read sentences: tags, chunks, discourse units, relations, and the tree of all of it.

    tercet analyze "He said that it rains because it is autumn." --draw out.svg
    """
    if bool(sentences) == (translations is not None):
        raise OptionError("give sentences (before other options) or -t FILE, and one of them only")
    arguments.use_threads(threads)

    from tercet.corpus.lines import Lines
    from tercet.language import analyze as analyses_of
    from tercet.language import draw
    from tercet.language.report import report
    from tercet.output import whole_file, write_result

    texts = list(sentences or ()) if translations is None else list(Lines.read(translations))
    if picture is not None and len(texts) != 1:
        raise OptionError(f"--draw makes one picture, and there are {len(texts)} sentences")
    analyses = analyses_of(texts, analyzer=analyzer, discourse=form == "json" or kind != "SYN")
    if picture is not None:
        with whole_file(picture) as file:
            file.write(draw(analyses[0].tree(kind)).svg)
    write_result(report(analyses, form, kind), output)
