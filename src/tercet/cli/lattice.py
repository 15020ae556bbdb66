"""`tercet lattice`: the paraphrases of a reference as a lattice: count, draw, export, score, explain."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tercet.cli import arguments
from tercet.errors import OptionError


def lattice(
    sentences: Annotated[
        list[str] | None, typer.Argument(help="References; several are united into one lattice.")
    ] = None,
    references: Annotated[
        list[str] | None, typer.Option("-r", "--references", help="Reference files instead: a lattice a segment.")
    ] = None,
    given: Annotated[
        Path | None, typer.Option("--import", help="Lattices instead: OpenFst text, JSON lines, or a folder of files.")
    ] = None,
    metric: Annotated[
        str,
        typer.Option("-m", "--metric", help="How lattices are made and searched: hytera, hytera-all, with options."),
    ] = "hytera",
    hypothesis: Annotated[str | None, typer.Option("--hypothesis", help="A translation to score.")] = None,
    translations: Annotated[
        Path | None, typer.Option("-t", "--translations", help="A file of them, one a segment.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="The path and every edit of each translation.")] = False,
    sample: Annotated[int, typer.Option("--sample", min=0, help="Show so many random paraphrases.")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the samples.")] = 12345,
    minimise: Annotated[
        bool, typer.Option("--minimise", help="Make it deterministic and smallest: each sentence once.")
    ] = False,
    picture: Annotated[Path | None, typer.Option("--draw", help="An SVG file.")] = None,
    most: Annotated[int, typer.Option("--most", min=1, help="Words shown of each edge of the picture.")] = 8,
    export: Annotated[
        Path | None,
        typer.Option("--export", help="A file: .fst or .txt for OpenFst text, .json or .jsonl for JSON lines."),
    ] = None,
    on_missing: arguments.OnMissing = "error",
    form: arguments.FormatOption = "text",
    output: arguments.Output = None,
    threads: arguments.Threads = 0,
) -> None:
    """Make the lattice of all paraphrases of a reference, and look at it.

    tercet lattice "Matt Damon downplays diversity in filmmaking" --draw out.svg
    """
    if sum(one is not None for one in (sentences or None, references, given)) != 1:
        raise OptionError("give a sentence (before other options), -r FILE or --import PATH, and one of them only")
    if hypothesis is not None and translations is not None:
        raise OptionError("give --hypothesis or -t, not both")
    if explain and hypothesis is None and translations is None:
        raise OptionError("--explain needs a translation: --hypothesis TEXT or -t FILE")
    arguments.use_threads(threads)

    from tercet.corpus import read
    from tercet.lattice.files import read_lattices, write_lattices
    from tercet.lattice.report import Report, report
    from tercet.metrics.hyter import LatticeMetric
    from tercet.metrics.registry import metric as metric_of
    from tercet.output import whole_file, write_result

    chosen = metric_of(metric, on_missing=on_missing)
    if not isinstance(chosen, LatticeMetric):
        raise OptionError(f"-m {metric} has no lattices; hytera, hytera-all and hyter have")
    if given is not None:
        lattices = read_lattices(given)
    elif references is not None:
        lattices = [
            chosen.lattice(tuple(texts))
            for texts in read(references=references, translations=references[:1]).references
        ]
    else:
        lattices = [chosen.lattice(tuple(sentences or ()))]
    if minimise:
        lattices = [one.minimised() for one in lattices]
    texts = None if hypothesis is None else [hypothesis]
    if translations is not None:
        from tercet.corpus.lines import Lines

        texts = list(Lines.read(translations))
    if texts is not None and len(texts) != len(lattices):
        raise OptionError(f"{len(texts)} translations for {len(lattices)} lattices; there is one a segment")

    if picture is not None:
        if len(lattices) != 1:
            raise OptionError(f"--draw is for one lattice, not {len(lattices)}; give one sentence")
        from tercet.lattice.drawing import draw

        with whole_file(picture) as file:
            file.write(draw(lattices[0], most=most))
    if export is not None:
        write_lattices(lattices, export)
    found: Report = report(
        lattices, chosen, None if texts is None else texts, explain=explain, samples=sample, seed=seed
    )
    write_result(found.render(form, color=arguments.colored(output)), output)
