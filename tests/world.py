"""A small world with judges: words with vectors, systems that are good and bad, people who see the difference."""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tercet.corpus import Corpus
from tercet.rankers.pairs import Pairs, Texts

WORDS = [f"{a}{b}" for a in ("ka", "lo", "mi", "nu", "pe", "ri") for b in ("ban", "det", "gos", "hul", "tim", "vor")]
SYSTEMS = {"good": 0.1, "fair": 0.35, "poor": 0.65}


def write_vectors(path: Path, dimension: int = 6, seed: int = 0) -> Path:
    """GloVe text for every second word."""
    numbers = np.random.default_rng(seed).normal(size=(len(WORDS), dimension)).round(3)
    lines = [" ".join([word, *map(str, row)]) for word, row in zip(WORDS[::2], numbers.tolist(), strict=False)]
    path.write_text("\n".join(lines) + "\n")
    return path


def texts(segments: int, seed: int) -> tuple[list[str], dict[str, list[str]]]:
    """References, and what each system made of them: the worse it is, the more words it gets wrong."""
    chance = random.Random(seed)
    references = [" ".join(chance.choices(WORDS, k=chance.randint(4, 9))) for _ in range(segments)]
    systems = {
        name: [
            " ".join(chance.choice(WORDS) if chance.random() < wrong else word for word in text.split())
            for text in references
        ]
        for name, wrong in SYSTEMS.items()
    }
    return references, systems


def pairs(
    segments: int = 40, seed: int = 1, *, references: int = 1, language_pairs: Sequence[str] = ("xx-en",)
) -> Pairs:
    """Every two systems of every segment; people prefer the one with fewer wrong words, and call equals a tie."""
    parts = []
    for number, language_pair in enumerate(language_pairs):
        reference, systems = texts(segments, seed + number)
        sets = [(text,) * references for text in reference]
        corpus = Corpus(references=sets, systems=systems, sources=[text.upper() for text in reference])
        names = list(systems)
        rows = []
        for segment, text in enumerate(reference):
            for first in range(len(names)):
                for second in range(first + 1, len(names)):
                    wrong = [_wrong(systems[names[i]][segment], text) for i in (first, second)]
                    rows.append((0, segment, first, second, int(np.sign(wrong[1] - wrong[0]))))
        columns = np.array(rows).T
        parts.append(Pairs((Texts(f"toy {language_pair}", language_pair, corpus),), *columns))
    return Pairs.concat(parts)


def write_tree(folder: Path, testset: str, language_pairs: dict[str, str], segments: int = 30, seed: int = 1) -> Path:
    """A WMT tree with judgments beside it; language pairs by the name that the judgments call the source language."""
    chance = random.Random(seed)
    rows = []
    (folder / "references").mkdir(parents=True)
    reference, _ = texts(segments, seed)
    (folder / "references" / f"{testset}-ref.en").write_text("\n".join(reference) + "\n")
    for pair, language in language_pairs.items():
        _, systems = texts(segments, seed)
        if pair != next(iter(language_pairs)):  # other systems' errors for the same references
            systems = {name: [_damaged(text, SYSTEMS[name], chance) for text in reference] for name in systems}
        outputs = folder / "system-outputs" / testset / pair
        outputs.mkdir(parents=True)
        for name, lines in systems.items():
            (outputs / f"{testset}.{pair}.{name}").write_text("\n".join(lines) + "\n")
        for segment, text in enumerate(reference):
            order = chance.sample(list(systems), 3)
            wrong = [_wrong(systems[name][segment], text) for name in order]
            ranks = [1 + sum(other < mine for other in wrong) for mine in wrong]
            filled = [*zip(order, ranks, strict=True), ("blank", -1), ("blank", -1)]
            ids = [cell for name, _ in filled for cell in ("-1", name)]
            head = [language, "English", segment + 1, -1, segment + 1, "judge"]
            rows.append([*head, *ids, *(rank for _, rank in filled)])
    header = ["srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId"]
    header += [f"system{i}{what}" for i in range(1, 6) for what in ("Number", "Id")]
    header += [f"system{i}rank" for i in range(1, 6)]
    with (folder / "judgments.csv").open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return folder


def _damaged(text: str, wrong: float, chance: random.Random) -> str:
    return " ".join(chance.choice(WORDS) if chance.random() < wrong else word for word in text.split())


def _wrong(hypothesis: str, reference: str) -> int:
    return sum(a != b for a, b in zip(hypothesis.split(), reference.split(), strict=True))
