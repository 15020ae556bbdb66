"""hTER: each system against its own post-edits."""

from __future__ import annotations

import json

import pytest

from tercet.metrics import metric
from tercet.metrics.hter import HTER
from tercet.metrics.ter import TER
from tests.cli.conftest import files, tercet

__all__ = ["files", "tercet"]


def test_it_is_ter_against_a_post_edit() -> None:
    hypotheses, edited = ["the cat sat mat", "a b"], ["the cat sat on the mat", "b a"]
    assert metric("hter") == HTER()
    assert HTER().corpus(hypotheses, edited) == TER().corpus(hypotheses, edited)
    assert str(HTER().signature).startswith("hTER|")


def test_every_system_has_its_own(tercet, files) -> None:
    paths = files(a="a b c\nd\n", b="a x c\nd e\n", edited_a="a b c\nd\n", edited_b="a b c\nd\n", other="x\n")
    a, b, edited_a, edited_b, other = paths
    run = tercet("score", "-t", a, b, "--post-edit", edited_a, edited_b, "-m", "hter", "--segments", "-f", "json")
    assert run.code == 0, run.err
    systems = json.loads(run.out)["metrics"]["hter"]["systems"]
    assert systems["a"]["score"] == 0
    assert systems["b"]["score"] == pytest.approx(50)
    assert systems["b"]["segments"] == [pytest.approx(100 / 3), 100]
    for wrong in (
        ["--post-edit", edited_a, "-m", "hter"],
        ["--post-edit", edited_a, edited_b, "-r", other],
        ["--post-edit", edited_a, edited_b, "-m", "hter", "--paired-bs"],
        ["--post-edit", edited_a, other, "-m", "hter"],
    ):
        run = tercet("score", "-t", a, b, *wrong)
        assert run.code == 2
        assert run.err.count("\n") == 1
