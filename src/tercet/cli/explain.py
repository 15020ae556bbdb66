"""`tercet compare --explain`: why one translation of a segment was preferred."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tercet.errors import OptionError

if TYPE_CHECKING:
    from tercet.compare import Judge
    from tercet.corpus import Corpus


def explain_segment(
    judge: Judge, corpus: Corpus, segment: int | None, picture: Path | None, output: Path | None
) -> None:
    """Writes the fragments that carried the decision, and the trees as a picture where one is asked for."""
    from tercet.compare import KernelJudge
    from tercet.output import whole_file, write_result

    if segment is None:
        raise OptionError("--picture shows what --explain N explains; give the number of a segment")
    if not isinstance(judge, KernelJudge):
        raise OptionError("--explain needs a kernel model; give -M the folder of one")
    if segment > len(corpus):
        raise OptionError(f"there is no segment {segment}; there are {len(corpus)}")
    first, second = list(corpus.systems)[:2]
    one, two = (list(corpus.systems[name])[segment - 1] for name in (first, second))
    references = tuple(corpus.references[segment - 1])[:1]
    found = judge.ranker.explain(one, two, references)
    lines = [f"segment {segment}: {first} (first) against {second} (second)", f"first:     {one}", f"second:    {two}"]
    lines += [f"reference: {references[0]}", "", str(found), ""]
    if picture is not None:
        with whole_file(picture) as file:
            file.write(found.svg())
    write_result("\n".join(lines), output)
