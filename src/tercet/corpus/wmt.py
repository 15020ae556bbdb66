"""The trees in which WMT publishes references, sources and what systems made of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tercet.corpus.corpus import Corpus
from tercet.corpus.files import File
from tercet.corpus.lines import Lines
from tercet.corpus.references import ParallelReferences
from tercet.errors import InputError

OUTPUTS = "system-outputs"
_SOURCES = ("sources", "source")
_PAIR = re.compile(r"([A-Za-z]{2,3}(?:_[A-Za-z]+)?)-([A-Za-z]{2,3}(?:_[A-Za-z]+)?)")


def read_plain(folder: File) -> dict[tuple[str, str], Corpus]:
    """A corpus for each test set and language pair of a WMT tree, by `("newstest2012", "cs-en")`, in order.

    Systems are read from `system-outputs/TESTSET/PAIR/` or `system-outputs/PAIR/`, where files are called
    `TESTSET.PAIR.SYSTEM` or `TESTSET.SYSTEM.PAIR`. `references/` and `sources/` (or `source/`) hold
    `TESTSET-ref.TARGET` and `TESTSET-src.SOURCE`, with the pair, if it is there, before `-ref` or as the ending.
    Sources may be lacking.
    """
    root = Path(folder)
    if not root.is_dir():
        raise InputError("no such folder" if not root.exists() else "is a file where a folder is meant", file=root)
    outputs = root / OUTPUTS
    if not outputs.is_dir():
        raise InputError(f"has no folder {OUTPUTS}/", file=root, remedy="give the top of a WMT tree")
    systems: dict[tuple[str, str], dict[str, Path]] = {}
    for testset, pair, system, file in _outputs(outputs):
        known = systems.setdefault((testset, pair), {})
        if system in known:
            raise InputError(f"system {system!r} of {testset} {pair} is also {known[system]}", file=file)
        known[system] = file
    if not systems:
        raise InputError("holds no system outputs", file=outputs, remedy="it needs PAIR/ or TESTSET/PAIR/ with files")
    return {key: _corpus(root, *key, systems[key]) for key in sorted(systems)}


def _corpus(root: Path, testset: str, pair: str, systems: dict[str, Path]) -> Corpus:
    source, target = pair.split("-")
    references = _find(root, ("references",), testset, pair, "ref", target)
    if references is None:
        expected = ", ".join(_candidates(testset, pair, "ref", target))
        raise InputError(
            f"no references for {testset} {pair}", file=root / "references", remedy=f"add one of {expected}"
        )
    sources = _find(root, _SOURCES, testset, pair, "src", source)
    return Corpus(
        references=ParallelReferences([Lines.read(references)]),
        systems={name: Lines.read(file) for name, file in sorted(systems.items())},
        sources=None if sources is None else Lines.read(sources),
    )


def _outputs(outputs: Path) -> Iterator[tuple[str, str, str, Path]]:
    """Test set, pair, system and file of every output."""
    for folder in _visible(outputs):
        if not folder.is_dir():
            raise InputError("is a file where folders of language pairs are meant", file=folder)
        inner = _visible(folder)
        if _PAIR.fullmatch(folder.name) and not any(path.is_dir() for path in inner):
            for file in inner:
                yield _parsed(file, file.name.split(".")[0], folder.name)
            continue
        for pair in inner:
            if not (pair.is_dir() and _PAIR.fullmatch(pair.name)):
                raise InputError("is not a folder of a language pair such as de-en", file=pair)
            for file in _visible(pair):
                yield _parsed(file, folder.name, pair.name)


def _parsed(file: Path, testset: str, pair: str) -> tuple[str, str, str, Path]:
    name = file.name.removesuffix(".gz")
    for before, after in ((f"{testset}.{pair}.", ""), (f"{testset}.", f".{pair}")):
        if file.is_file() and name.startswith(before) and name.endswith(after) and len(name) > len(before + after):
            return testset, pair, name[len(before) : len(name) - len(after)], file
    raise InputError(
        "is not called like a system output",
        file=file,
        remedy=f"call it {testset}.{pair}.SYSTEM or {testset}.SYSTEM.{pair}, or take it away",
    )


def _candidates(testset: str, pair: str, kind: str, language: str) -> list[str]:
    joined = pair.replace("-", "")
    return [f"{testset}-{joined}-{kind}.{language}", f"{testset}-{kind}.{pair}", f"{testset}-{kind}.{language}"]


def _find(root: Path, folders: tuple[str, ...], testset: str, pair: str, kind: str, language: str) -> Path | None:
    names = _candidates(testset, pair, kind, language)
    paths = (root / folder / (name + packed) for folder in folders for name in names for packed in ("", ".gz"))
    return next((path for path in paths if path.is_file()), None)


def _visible(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
