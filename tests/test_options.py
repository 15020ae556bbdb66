"""Options in a word."""

from __future__ import annotations

import pytest

from tercet import metrics
from tercet.errors import OptionError
from tercet.options import split_spec


def test_a_name_and_its_options():
    assert split_spec("ter:normalized=true,no-punct=yes") == ("ter", {"normalized": "true", "no_punct": "yes"})
    assert split_spec("bleu") == ("bleu", {})


def test_values_get_the_types_of_the_fields():
    metric = metrics.metric("bleu:lowercase=yes,max_order=2,smooth=floor,smooth_value=0.5,effective_order=none")
    assert metric == metrics.BLEU(lowercase=True, max_order=2, smooth="floor", smooth_value=0.5)


def test_an_alias_stands_for_options_that_can_still_be_changed():
    assert metrics.metric("chrf++") == metrics.ChrF(word_order=2)
    assert metrics.metric("chrf++:beta=3,word_order=1") == metrics.ChrF(word_order=1, beta=3.0)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("blue", "unknown metric 'blue'; there are bleu, chrf"),
        ("bleu:case=true", "bleu has no option 'case'; it has lowercase, tokenize"),
        ("bleu:lowercase=maybe", "bleu:lowercase='maybe' is not allowed; it takes true or false"),
        ("bleu:tokenize=14a", "it takes none, 13a, intl, char, zh"),
        ("bleu:max_order=four", "it takes a whole number"),
        ("bleu:lowercase", "'lowercase' is not an option; write bleu:option=value"),
        ("", "unknown metric ''"),
    ],
)
def test_mistakes_are_named(spec, message):
    with pytest.raises(OptionError) as error:
        metrics.metric(spec)
    assert message in str(error.value)
