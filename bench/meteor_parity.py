"""METEOR beside its original program on every segment of the data: `python -m bench.meteor_parity`.

To English, all systems of wmt12/ and wmt13/. For other languages the data have no system outputs: there, a line of a
source text is the reference, and the same line with words deleted, cut, marked and moved is the hypothesis.
Needs Java and the resources meteor and meteor-java.
"""

from __future__ import annotations

import random
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.__main__ import DATA
from tercet import resources
from tercet.metrics import METEOR

SOURCES = {
    "cs": "wmt12/sources/newstest2012-src.cs",
    "de": "wmt12/sources/newstest2012-src.de",
    "es": "wmt12/sources/newstest2012-src.es",
    "fr": "wmt13/sources/newstest2013-src.fr",
    "ru": "wmt17-da/source/newstest2017-ruen-src.ru",
    "fi": "wmt17-da/source/newstest2017-fien-src.fi",  # the original cannot normalise it
}
LINES = 1000
MARKS = [",", ".", "...", "'s", "-x", '"', "“", "’", "%", " .", " 5,3"]


def main() -> None:
    """Prints, for every test set, how many segment scores are equal to 1e-9, and the largest difference."""
    for year in ("12", "13"):
        folder = DATA / f"wmt{year}"
        outputs = sorted((folder / "system-outputs").glob("*/*/*"))
        reference = lines(folder / "references" / f"newstest20{year}-ref.en")
        hypotheses = [line for path in outputs for line in lines(path)]
        report(
            f"wmt{year}, {len(outputs)} systems", METEOR(), hypotheses, reference * len(outputs), "-norm", "-t", "rank"
        )
    for language, source in SOURCES.items():
        reference = lines(DATA / source)[:LINES]
        chance = random.Random(language)
        hypotheses = [spoiled(line, chance) for line in reference]
        metric = METEOR(language=language, normalize=language != "fi")
        switches = ["-norm"] if metric.normalize else ["-lower"]
        modules = "exact" if language == "cs" else "exact stem"
        report(language, metric, hypotheses, reference, *switches, "-m", modules)


def report(name: str, metric: METEOR, hypotheses: list[str], references: list[str], *switches: str) -> None:
    """One line."""
    ours = metric.segments(hypotheses, references)
    theirs = original(hypotheses, references, "-l", metric.language, *switches)
    apart = np.abs(ours - theirs)
    print(
        f"{name}: {(apart <= 1e-9).sum():,} of {len(ours):,} segments equal, at most {apart.max():.2g} apart",
        flush=True,
    )


def original(hypotheses: Sequence[str], references: Sequence[str], *switches: str) -> np.ndarray:
    """Segment scores of the Java program."""
    jar = resources.find("meteor-java", "meteor-1.5.jar")
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / "test", Path(folder) / "reference"]
        for path, texts in zip(paths, (hypotheses, references), strict=True):
            path.write_text("".join(f"{line}\n" for line in texts), encoding="utf-8", newline="\n")
        command = ["java", "-Xmx3G", "-jar", str(jar), *map(str, paths), *switches]
        printed = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout.splitlines()
    return np.array([float(line.split("\t")[1]) for line in printed if line.startswith("Segment ")])


def spoiled(line: str, chance: random.Random) -> str:
    """A line with some words deleted, cut, marked or in capitals, a pair exchanged, and the end put first."""
    words = []
    for word in line.split(" "):
        luck = chance.random()
        if luck < 0.1:
            continue
        if luck < 0.2 and len(word) > 4:
            word = word[: -chance.randint(1, 2)]
        elif luck > 0.95:
            word += chance.choice(MARKS)
        elif luck > 0.92:
            word = word.upper()
        words.append(word)
    if len(words) > 4 and chance.random() < 0.5:
        i, middle = chance.randrange(len(words) - 2), chance.randrange(len(words))
        words[i : i + 2] = reversed(words[i : i + 2])
        words = words[middle:] + words[:middle]
    return " ".join(words)


def lines(path: Path) -> list[str]:
    """The lines of a file; \\n alone ends one."""
    return path.read_bytes().decode().removesuffix("\n").split("\n")


if __name__ == "__main__":
    main()
