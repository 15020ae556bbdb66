"""METEOR's tables in small, with words and paraphrases written for the tests, in the files in which METEOR has them."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

from tests.oracles.meteor import Knowledge

FUNCTION_WORDS = {"english": ["the", "a", "of", "to", ".", ","], "french": ["la", "le"]}
ABBREVIATIONS = {"english": ["# titles", "Mr", "Dr", "", "No #NUMERIC_ONLY# "]}
SYNSETS = {
    "dog": [11, 12], "hound": [12], "canine": [11, 13], "tooth": [13], "big": [20], "large": [20, 21], "huge": [21],
    "go": [30], "travel": [30, 31], "bus": [40], "coach": [40], "man": [50], "guy": [50], "city": [60], "town": [60],
    "bake": [70], "roast": [70, 71], "boss": [80], "chief": [80], "naïf": [90], "green": [90],
}  # fmt: skip
EXCEPTIONS = {"go": ["went", "gone"], "travel": ["went"], "tooth": ["teeth"], "missing": ["lost"]}
PARAPHRASES = [
    (0.5, "of course", "naturally"),
    (0.25, "naturally", "of course"),  # both ways: METEOR finds it twice
    (0.125, "of course", "to be sure"),
    (0.0625, "a lot of", "many"),
    (0.03125, "a lot of", "a great many"),
    (0.015625, "many", "a lot of"),
    (0.5, "big", "the size of a town"),
    (0.75, "cat", "dog"),
    (0.75, "a", "the"),
    (0.75, "of the dog", "a cat"),
    (1e-9, "été", "猫 𝒳"),
]

WORDS = sorted(
    {*SYNSETS, *(form for forms in EXCEPTIONS.values() for form in forms)}
    | {word for _, *pair in PARAPHRASES for phrase in pair for word in phrase.split()}
    | {
        "dogs",
        "buses",
        "baked",
        "baking",
        "roasted",
        "men",
        "cities",
        "bosses",
        "bigger",
        "biggest",
        "cats",
        "je",
        "l'",
    }
)
"""Words about which the tables know something, and forms of them."""

KNOWN = Knowledge(
    synsets={word: frozenset(numbers) for word, numbers in SYNSETS.items()},
    bases={
        form: [base for base, forms in EXCEPTIONS.items() if form in forms]
        for form in {form for forms in EXCEPTIONS.values() for form in forms}
    },
    paraphrases={
        tuple(phrase.split()): [tuple(other.split()) for _, same, other in PARAPHRASES if same == phrase]
        for _, phrase, _ in PARAPHRASES
    },
    function_words=frozenset(FUNCTION_WORDS["english"]),
)
"""The same for the oracle."""


def unpacked(folder: Path) -> Path:
    """A folder with what the wheel of METEOR holds."""
    data = folder / "pycocoevalcap" / "meteor" / "data"
    data.mkdir(parents=True)
    with gzip.open(data / "paraphrase-en.gz", "wt", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{score}\n{phrase}\n{other}\n" for score, phrase, other in PARAPHRASES)
    files = {
        **{f"function/{name}.words": words for name, words in FUNCTION_WORDS.items()},
        "function/other.words": [],
        **{f"nonbreaking/{name}.prefixes": lines for name, lines in ABBREVIATIONS.items()},
        "synonym/english.synsets": [
            line for word, sets in SYNSETS.items() for line in (word, " ".join(map(str, sets)))
        ],
        "synonym/english.exceptions": [line for base, forms in EXCEPTIONS.items() for line in (base, " ".join(forms))],
    }
    with zipfile.ZipFile(data.parent / "meteor-1.5.jar", "w") as jar:
        for name, lines in files.items():
            jar.writestr(name, "".join(f"{line}\n" for line in lines))
    return folder


def wheel(folder: Path) -> Path:
    """The same as a wheel."""
    root = unpacked(folder / "contents")
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for path in sorted(root.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(root).as_posix())
    target = folder / "pycocoevalcap-1.2-py3-none-any.whl"
    target.write_bytes(content.getvalue())
    return target
