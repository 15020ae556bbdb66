"""What `evaluate` hands to the tests between scorers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tercet.agreement.evaluation import Plan, evaluate
from tercet.agreement.scorers import score_texts
from tercet.corpus import Corpus
from tercet.corpus.judged import JudgedTexts
from tercet.metrics.registry import metric
from tests.rankers.judged_world import texts


def with_more_lines(judged: JudgedTexts, lines: int) -> JudgedTexts:
    """The same with segments at the end that nobody judged."""
    corpus = judged.corpus
    more = Corpus(
        references=[*corpus.references, *([("a line that nobody judged",)] * lines)],
        systems={name: [*old, *[f"{name} {i}" for i in range(lines)]] for name, old in corpus.systems.items()},
    )
    return replace(judged, corpus=more)


def test_artificial_systems_are_made_of_judged_segments():
    plan = Plan(level="system", test="hybrid", correction="none")
    found = []
    for judged in (texts(kind="assessment"), with_more_lines(texts(kind="assessment"), 30)):
        systems = judged.judgments.systems()
        scorers = score_texts(judged, systems, {name: metric(name) for name in ("chrf", "bleu")})
        found.append(evaluate([(judged, systems, scorers)], plan).tests["cs-en"])
    np.testing.assert_array_equal(found[0].p_values, found[1].p_values)
    assert found[0].values == pytest.approx(found[1].values)
    assert found[0].values.max() < 1
