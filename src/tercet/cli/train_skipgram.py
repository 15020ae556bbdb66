"""`tercet train` for recipes with `vectors: skipgram`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import typer

from tercet.cli import arguments
from tercet.errors import OptionError


def train_skipgram_file(recipe: Path, data: Path, output: Path, *, epochs: int | None, form: str, quiet: bool) -> None:
    """Trains vectors of running text, and writes the file that `hytera:vectors=FILE` takes."""
    from tercet.language.running_text import sentences
    from tercet.language.skipgram_training import train_skipgram
    from tercet.output import write_result
    from tercet.rankers.skipgram_recipe import read_skipgram_recipe
    from tercet.tables import Table

    found = read_skipgram_recipe(recipe)
    if output.suffix != ".safetensors":
        raise OptionError(f"-o {output}: vectors are one file; its name ends in .safetensors")
    options = replace(found.options, epochs=epochs or found.options.epochs)
    texts = []
    for folder in found.folders:
        texts += list(sentences(data / folder))
    if not quiet:
        typer.echo(f"tercet: {len(texts):,} sentences; one thread trains {options.epochs} epochs", err=True)
    vectors, words = train_skipgram(texts, options)
    about = {
        "title": found.title,
        "licence": found.licence,
        "text": json.dumps(found.folders),
        "options": options.as_text(),
    }
    vectors.save(output, {**about, "words": str(words)})
    figures = {"words": words, "words with vectors": len(vectors.rows), "dimension": vectors.word.shape[1]}
    if form == "json":
        write_result(json.dumps({**about, **figures, "file": str(output)}) + "\n", None)
        return
    table = Table(["", "number"], title=found.title)
    for name, number in figures.items():
        table.add(name, f"{number:,}")
    table.notes.append(f"-m hytera:vectors={output}")
    write_result(table.render("text", color=arguments.colored(None)) + "\n", None)
