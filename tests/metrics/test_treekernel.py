"""The tree kernel as a metric."""

from __future__ import annotations

import pytest

from tercet.errors import OptionError
from tercet.language import analyze
from tercet.metrics.registry import metric
from tests.oracles import trees as oracle

HYPOTHESES = ["The cat sat on the mat .", "cat the mat on", ""]
REFERENCES = [("The cat sat on the mat .",), ("The cat sat on the mat .",), ("The cat sat .",)]


@pytest.mark.parametrize("kind", ["SYN", "DIS", "DIS+POS", "DIS+SYN"])
def test_it_is_the_normalised_kernel(kind):
    found = metric(f"treekernel:tree={kind}").segments(HYPOTHESES, REFERENCES)
    for hypothesis, (reference,), value in zip(HYPOTHESES, REFERENCES, found, strict=True):
        one, two = (analysis.tree(kind) for analysis in analyze([hypothesis, reference]))
        expected = oracle.partial(one, two) / (oracle.partial(one, one) * oracle.partial(two, two)) ** 0.5
        assert value == pytest.approx(expected)
    assert found[0] == pytest.approx(1)
    assert found[1] < 1


def test_the_best_reference_counts_and_a_system_has_the_mean():
    chosen = metric("treekernel:fragments=subset")
    both = chosen.segments(HYPOTHESES[1:2], [("A dog .", "cat the mat on")])
    assert both[0] == pytest.approx(1)
    assert chosen.corpus(HYPOTHESES, REFERENCES) == pytest.approx(chosen.segments(HYPOTHESES, REFERENCES).mean())
    assert str(metric("treekernel").signature).startswith(
        "treekernel|tree:DIS+SYN|fragments:partial|decay:0.4|vertical:0.4"
    )


@pytest.mark.parametrize("fragments", ["partial", "subset", "subtree"])
def test_its_parts_sum_to_the_score(fragments):
    chosen = metric(f"treekernel:fragments={fragments}")
    references = [*REFERENCES[:2], ("The cat sat .", "")]
    names, values, counts = chosen.parts(HYPOTHESES, references)
    assert names == ("treekernel/words", "treekernel/tags", "treekernel/phrases", "treekernel/clauses",
                     "treekernel/relations")  # fmt: skip
    assert values.sum(axis=1) == pytest.approx(chosen.segments(HYPOTHESES, references))
    assert counts[0].tolist() == [7, 7, 5, 1, 0]


def test_options_out_of_range():
    with pytest.raises(OptionError, match="decay=2"):
        metric("treekernel:decay=2")
    with pytest.raises(OptionError, match="tree"):
        metric("treekernel:tree=RST")
