"""`tercet demo`: the main job on data that ships with the package."""

from __future__ import annotations

from tercet.cli import arguments


def demo(form: arguments.FormatOption = "text", quiet: arguments.Quiet = False) -> None:
    """Score and compare three small systems that come with tercet."""
    from importlib.resources import as_file, files

    from tercet.cli.score import score

    with as_file(files("tercet") / "demo") as folder:
        reference = str(folder / "reference.txt")
        systems = [str(folder / f"{name}.txt") for name in ("careful", "literal", "hasty")]
        command = "tercet score -r reference.txt -t careful.txt literal.txt hasty.txt -m bleu chrf ter"
        options = "--confidence --paired-bs --all-pairs"
        if not quiet and form == "text":
            print(f"Twenty segments, one reference, three systems. The same as:\n  {command} {options}\n")
        score(
            references=[reference],
            translations=systems,
            metrics=["bleu", "chrf", "ter"],
            confidence=True,
            paired_bs=True,
            all_pairs=True,
            form=form,
            quiet=quiet,
        )
