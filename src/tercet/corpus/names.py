"""Systems are called after their files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tercet.corpus.files import File, bare_name, shown
from tercet.errors import InputError

# What says how a text came about or how it is written down, and nothing about the system. Any other ending belongs to
# the name: newstest2017.online-B.0 is not newstest2017.online-B.
_ENDINGS = (".txt", ".out", ".hyp", ".tsv", ".sgm", ".sgml", ".xml", ".jsonl", ".ndjson", ".json", ".parquet", ".pq")


def system_name(file: File) -> str:
    """The name of a file's system: the file's own, without `.gz` and then without `.txt`, `.out` or `.hyp`.

    Endings that name one of the other formats are dropped too.
    """
    name = bare_name(file)
    ending = Path(name).suffix
    return name.removesuffix(ending) if ending.lower() in _ENDINGS else name


def system_names(files: Sequence[File]) -> list[str]:
    """A name for each file; files of the same name are told apart by the folders that they are in."""
    names = [system_name(file) for file in files]
    shared = {name for name, times in Counter(names).items() if times > 1}
    apart = [
        f"{Path(file).absolute().parent.name}/{name}" if name in shared else name
        for file, name in zip(files, names, strict=True)
    ]
    for name, times in Counter(apart).items():
        if times > 1:
            first, second, *_ = (shown(file) for file, other in zip(files, apart, strict=True) if other == name)
            raise InputError(
                f"{first} and {second} would both be system {name!r}",
                remedy="leave one out, or rename one of the files or its folder",
            )
    return apart
