"""METEOR beside its original program: numbers that it printed, and, where it is installed, the program itself."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tercet import resources
from tercet.errors import ResourceError
from tercet.metrics import METEOR

ENGLISH = [
    ("The children went to the big city by coach.", "Of course the kids travelled to the large town by bus."),
    ("He didn't say when the meeting would be held.", "When the meeting will take place, he did not say."),
    ("the the the cat cat sat on on the mat", "the cat sat on the mat, and the dog on the cat"),
    ("Mr. Brown's U.S. team won 3-2 in the 90's...", "Mr Brown's team from the US won by 3 to 2 in the 1990's."),
    ("A lot of people are worried about prices.", "Many people worry about the price of things."),
    ("Same words, same order.", "Same words, same order."),
    ("Nothing matches", "completely different"),
    ("", "An empty hypothesis."),
    ("An empty reference.", ""),
]
OTHERS = {
    "de": [("Die Kinder spielten im großen Garten.", "Im großen Garten spielen viele Kinder.")],
    "fr": [("Je l'ai vu, l'eau n'était pas là.", "J'ai vu que l'eau n'est plus là; je ris.")],
    "es": [("Los niños jugaban en la casa grande.", "El niño juega en una casa muy grande.")],
    "ru": [("Дети играли в большом доме.", "Ребёнок играет в большом доме с детьми.")],
    "cs": [("Děti si hrály na zahradě.", "Na zahradě si hrály malé děti.")],
}

# Printed by the program: `-l LANGUAGE -norm -t li -m 'exact stem'` (`exact` for cs), where all words weigh the same.
WITHOUT_TABLES = {
    "de": 0.469727781404,
    "fr": 0.377766869246,
    "es": 0.250878004376,
    "ru": 0.483551666350,
    "cs": 0.536178903531,
}

# Printed by the program: `-l en -norm -t TASK`.
WITH_TABLES = {
    "rank": [0.419595058732, 0.297666692185, 0.370736679747, 0.337166928610, 0.230509837265, 1, 0, 0, 0],
    "adq": [0.662693997917, 0.553111403675, 0.643503167331, 0.546791758416, 0.513441404701, 1, 0, 0, 0],
    "hter": [0.754518510396, 0.585758307969, 0.748711683823, 0.600972449498, 0.605994476244, 1, 0, 0, 0],
    "util": [0.278071384746, 0.335349605801, 0.402282822113, 0.315608347328, 0.308811908745, 1, 0, 0, 0],
    "li": [0.633999455257, 0.418732207508, 0.536831750176, 0.412269648179, 0.436798878924, 1, 0, 0, 0],
    "tune": [0.647727272727, 0.445151033386, 0.608695652174, 0.477272727273, 0.436507936508, 1, 0, 0, 0],
}


@pytest.mark.parametrize("language", WITHOUT_TABLES)
def test_numbers_that_need_no_tables(language):
    hypotheses, references = zip(*OTHERS[language], strict=True)
    score = METEOR(language=language, task="li", tables="none").corpus(hypotheses, references)
    assert score == pytest.approx(WITHOUT_TABLES[language], abs=1e-9)


@pytest.fixture(scope="session")
def tables() -> str:
    try:
        return str(resources.find("meteor", "meteor.tables"))
    except ResourceError as error:
        pytest.skip(str(error))


@pytest.mark.resource
@pytest.mark.parametrize("task", WITH_TABLES)
def test_numbers_that_need_the_tables(tables, task):
    hypotheses, references = zip(*ENGLISH, strict=True)
    scores = METEOR(task=task, tables=tables).segments(hypotheses, references)
    np.testing.assert_allclose(scores, WITH_TABLES[task], rtol=0, atol=1e-9)


Program = Callable[..., tuple[list[float], float]]


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The original: its segment scores and its corpus score for a list of hypotheses and of tuples of references."""
    java = shutil.which("java")
    if java is None:
        pytest.skip("there is no java on the PATH")
    try:
        jar = resources.find("meteor-java", "meteor-1.5.jar")
    except ResourceError as error:
        pytest.skip(str(error))

    def run(hypotheses: list[str], references: list[tuple[str, ...]], *options: str) -> tuple[list[float], float]:
        folder = tmp_path_factory.mktemp("program")
        test, reference = folder / "test", folder / "reference"
        test.write_text("".join(f"{line}\n" for line in hypotheses), encoding="utf-8")
        reference.write_text("".join(f"{line}\n" for lines in references for line in lines), encoding="utf-8")
        command = [java, "-Xmx2G", "-jar", str(jar), str(test), str(reference), "-r", str(len(references[0])), *options]
        printed = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout.splitlines()
        segments = [float(line.split("\t")[1]) for line in printed if line.startswith("Segment ")]
        final = next(float(line.split()[-1]) for line in printed if line.startswith("Final score"))
        return segments, final

    return run


def compare(meteor: METEOR, program: Program, pairs: list[tuple[str, tuple[str, ...]]], *options: str) -> None:
    hypotheses, references = [text for text, _ in pairs], [texts for _, texts in pairs]
    segments, final = program(hypotheses, references, *options)
    np.testing.assert_allclose(meteor.segments(hypotheses, references), segments, rtol=0, atol=1e-9)
    assert meteor.corpus(hypotheses, references) == pytest.approx(final, abs=1e-9)


@pytest.mark.java
@pytest.mark.resource
@pytest.mark.parametrize("language", OTHERS)
def test_other_languages_beside_the_program(program, tables, language):
    pairs = [(hypothesis, (reference,)) for hypothesis, reference in OTHERS[language]]
    modules = "exact" if language == "cs" else "exact stem"
    compare(METEOR(language=language, tables=tables), program, pairs, "-l", language, "-norm", "-m", modules)


@pytest.mark.java
@pytest.mark.resource
@pytest.mark.parametrize(
    ("options", "switches"),
    [
        ({"task": "adq", "alpha": 0.3, "beta": 2, "gamma": 0.4, "delta": 0.6}, ("-norm", "-p", "0.3 2 0.4 0.6")),
        ({"weights": "0.9 0.3 0.7"}, ("-norm", "-w", "0.9 0.3 0.7")),
        ({"characters": True, "punctuation": False}, ("-norm", "-ch", "-noPunct")),
        ({"normalize": False, "beam": 3}, ("-lower", "-x", "3")),
        ({"normalize": False, "lowercase": False}, ()),
    ],
    ids=["parameters", "weights", "characters", "lower", "raw"],
)
def test_english_beside_the_program(program, tables, options, switches):
    pairs = [(hypothesis, (reference,)) for hypothesis, reference in ENGLISH]
    modules = "exact stem synonym"  # without paraphrases the program starts in a second
    compare(METEOR(tables=tables, modules=modules, **options), program, pairs, "-l", "en", "-m", modules, *switches)


@pytest.mark.java
@pytest.mark.resource
def test_several_references_beside_the_program(program, tables):
    references = [reference for _, reference in ENGLISH]
    pairs = [(text, (one, other)) for (text, one), other in zip(ENGLISH, references[1:] + references[:1], strict=True)]
    compare(METEOR(tables=tables), program, pairs, "-l", "en", "-norm")


@pytest.mark.java
@pytest.mark.resource
@pytest.mark.data
def test_real_segments_beside_the_program(program, tables, data: Path):
    folder = data / "wmt13"
    system = folder / "system-outputs" / "newstest2013" / "fr-en" / "newstest2013.fr-en.online-A"
    reference = folder / "references" / "newstest2013-ref.en"
    hypotheses, references = (path.read_text(encoding="utf-8").split("\n")[:500] for path in (system, reference))
    pairs = [(text, (other,)) for text, other in zip(hypotheses, references, strict=True)]
    compare(METEOR(tables=tables), program, pairs, "-l", "en", "-norm", "-t", "rank")
