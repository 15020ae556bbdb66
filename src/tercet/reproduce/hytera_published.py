"""What Apidianaki et al. (2018) print, and the settings that are measured beside it."""

from __future__ import annotations

from typing import NamedTuple

# Table 3: segment-level Pearson's r on WMT16 direct assessment
PAIRS = ("cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en")
HYTERA = dict(zip(PAIRS, (0.599, 0.498, 0.476, 0.483, 0.525, 0.540), strict=True))
SENTBLEU = dict(zip(PAIRS, (0.557, 0.448, 0.484, 0.499, 0.502, 0.532), strict=True))

# Table 1: median number of paths, of four united references of the NIST 2010 progress set
MEDIAN_PATHS = {
    "manual": {"ar-en": 9_454_542, "zh-en": 7.8e9},
    "allPars": {"ar-en": 1.8e27, "zh-en": 8.5e27},
    "allParsFiltered": {"ar-en": 10_803, "zh-en": 3.3e20},
}

# Table 2: Spearman's rho with hTER
TABLE_2 = {
    "HyTER": {"ar-en": 0.667, "zh-en": 0.672},
    "HyTERA(allPars)": {"ar-en": 0.673, "zh-en": 0.616},
    "HyTERA(allParsFiltered)": {"ar-en": 0.671, "zh-en": 0.605},
    "BLEU": {"ar-en": -0.563, "zh-en": -0.556},
}

SENTBLEU_SPEC = "bleu:lowercase=true,effective_order=true"


class Setting(NamedTuple):
    """A row of the tables that go beyond the paper: what it is, and the metric without its normaliser."""

    name: str
    spec: str


def settings(lists: str | None) -> list[Setting]:
    """Plain word error rate, each source alone, all of them, filtered and not; `lists` is a file of paraphrases."""
    sources = ["synonyms", "inflections", "meteor", *([lists] if lists else [])]
    everything = "+".join(sources)
    no_meteor = "+".join(source for source in sources if source != "meteor")

    def named(source: str) -> str:
        return "PPDB list" if source == lists else source

    rows = [Setting("WER", "hyter")]
    rows += [Setting(f"{named(s)}, single words", f"hytera-all:sources={s},multiword=no") for s in sources]
    rows += [Setting(f"{named(s)}, phrases too", f"hytera-all:sources={s}") for s in ("synonyms", "meteor")]
    rows += [
        Setting("all sources, single words", f"hytera-all:sources={everything},multiword=no"),
        Setting("all sources", f"hytera-all:sources={everything}"),
        Setting("all sources, filtered by score", f"hytera:sources={everything},vectors=none"),
        Setting("all sources, filtered by score and AddCos", f"hytera:sources={everything}"),
        Setting("all but METEOR", f"hytera-all:sources={no_meteor}"),
        Setting("all but METEOR, filtered", f"hytera:sources={no_meteor}"),
        Setting("all but METEOR, no punctuation", f"hytera-all:sources={no_meteor},punctuation=no"),
        Setting("all but METEOR, filtered, no punctuation", f"hytera:sources={no_meteor},punctuation=no"),
        Setting("WER, no punctuation", "hyter:punctuation=no"),
    ]
    return rows
