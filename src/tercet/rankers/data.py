"""Judged pairs from a folder as WMT publishes it: a plain tree of texts with files of judgments beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tercet.corpus.judgment_formats import read_judgments
from tercet.corpus.judgments import Judgments, OnMissing
from tercet.corpus.wmt import OUTPUTS, read_plain
from tercet.errors import InputError
from tercet.rankers.pairs import Pairs


def read_pairs(folder: Path, language_pairs: Sequence[str] = (), *, on_missing: OnMissing = "error") -> Pairs:
    """The comparisons of a folder that holds `system-outputs/`, `references/` and CSV files of judgments."""
    if not folder.is_dir():
        raise InputError("no such folder", file=folder, remedy="give --data the folder that holds it")
    corpora = read_plain(folder)
    files = sorted(path for path in folder.glob("*.csv") if path.is_file())
    if not files:
        raise InputError("holds no judgments", file=folder, remedy=f"put their CSV beside {OUTPUTS}/")
    judgments = Judgments.concat([read_judgments(file) for file in files])
    present = {pair for _, pair in corpora}
    for pair in language_pairs:
        if pair not in present:
            raise InputError(f"holds no texts of {pair}; it has {', '.join(sorted(present))}", file=folder)
    wanted = set(language_pairs) or present
    chosen = {key: corpus for key, corpus in corpora.items() if key[1] in wanted}
    return Pairs.from_judgments(judgments, chosen, on_missing=on_missing)
