"""Model cards: what every weight file says about its data, its making, its figures and its licence."""

from __future__ import annotations

from collections.abc import Mapping

LICENCES = {
    "GUM": "GUM (Zeldes 2017), version with 263 documents, reddit left out: annotations CC-BY 4.0; the texts have "
    "licences of their own, from CC-BY to CC-BY-NC-SA (see GUM's LICENSE.txt). Some of them forbid commercial use.",
    "treebank": "Penn Treebank sample (5 % of the Wall Street Journal part, as redistributed with NLTK): © LDC 1995, "
    "non-commercial use only.",
    "CoNLL-2000": "CoNLL-2000 shared task (Wall Street Journal sections 15–18 and 20): research use.",
    "GloVe": "GloVe 6B, 50 dimensions (Pennington et al. 2014; Wikipedia and Gigaword): PDDL 1.0, free of rights.",
    "Brown": "Brown corpus (as redistributed with NLTK): non-commercial use.",
    "ABC": "Australian Broadcasting Commission 2006 (rural and science news; as in NLTK): research use.",
    "State of the Union": "US presidents' addresses 1945–2006 (as redistributed with NLTK): public domain.",
}


def card(
    title: str,
    purpose: str,
    *,
    command: str,
    method: str,
    data: Mapping[str, str],
    figures: Mapping[str, str],
    holds: str = "The weights are numbers under hashes of words; they hold no text.",
) -> str:
    """A model card in Markdown."""
    rows = "\n".join(f"| {what} | {figure} |" for what, figure in figures.items())
    used = "\n".join(f"- {LICENCES[name]} Used: {how}" for name, how in data.items())
    return f"""# {title}

{purpose}

Made by `{command}`, which also printed the figures below.

## Method
{method}

## Figures
| measured on | figure |
|---|---|
{rows}

## Data
{used}

## Licence
{holds} They are offered under the package's licence as far as its
authors' rights reach. The terms of the data stand above: where they say non-commercial or research use, take the
weights to be for that use. `python -m training.…` makes weights from other data in the same layouts.
"""
