"""`tercet compare --explain` with a model over trees: the fragments that carried the decision, and the trees."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tercet.errors import OptionError

if TYPE_CHECKING:
    from tercet.compare import Judge
    from tercet.corpus import Corpus


def explain_trees(judge: Judge, corpus: Corpus, segment: int, first: str, second: str, picture: Path | None) -> str:
    """The fragments as text, nothing for another kind of judge; the picture is written where one is asked for."""
    from tercet.compare import KernelJudge
    from tercet.output import whole_file

    if not isinstance(judge, KernelJudge):
        if picture is not None:
            raise OptionError("--picture needs a model over trees; give -M the folder of one")
        return ""
    one, two = (list(corpus.systems[name])[segment - 1] for name in (first, second))
    found = judge.ranker.explain(one, two, tuple(corpus.references[segment - 1])[:1])
    if picture is not None:
        with whole_file(picture) as file:
            file.write(found.svg())
    return f"\nFragments of the trees, {first} first, {second} second\n{found.text(first, second)}\n"
