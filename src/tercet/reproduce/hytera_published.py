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
    listed = [lists] if lists else []
    most = "+".join(["synonyms", "inflections", *listed])
    every = f"{most}+meteor"
    sources = {"METEOR's paraphrases": "meteor", **({"PPDB's list": lists} if lists else {}), "synonyms": "synonyms"}
    rows = [Setting("WER", "hyter")]
    rows += [Setting(f"{name}, single words", f"hytera-all:sources={s},multiword=no") for name, s in sources.items()]
    rows += [
        Setting("inflections", "hytera-all:sources=inflections"),
        Setting("AddCos, whole vocabulary", "hytera:sources=neighbours"),
        Setting("METEOR's paraphrases, phrases too", "hytera-all:sources=meteor"),
        Setting("synonyms, phrases too", "hytera-all:sources=synonyms"),
        Setting("all, single words", f"hytera-all:sources={every},multiword=no"),
        Setting("all", f"hytera-all:sources={every}"),
        Setting("all, filtered by score", f"hytera:sources={every},vectors=none"),
        Setting("all, filtered by score and AddCos", f"hytera:sources={every}"),
        Setting("the same, and AddCos's vocabulary", f"hytera:sources={every}+neighbours"),
        Setting("all but METEOR, single words", f"hytera-all:sources={most},multiword=no"),
        Setting("all but METEOR", f"hytera-all:sources={most}"),
        Setting("all but METEOR, filtered", f"hytera:sources={most}"),
        Setting("all but METEOR, words may move by 1", f"hytera-all:sources={most},window=1"),
    ]
    rows += [
        Setting(f"{row.name}, no punctuation", row.spec + ("," if ":" in row.spec else ":") + "punctuation=no")
        for row in rows
        if row.name in ("WER", "all", "all, filtered by score and AddCos", "all but METEOR", "all but METEOR, filtered")
    ]
    return rows


QUESTIONS = (
    ("all, single words", "WER"),
    ("all", "all, single words"),
    ("METEOR's paraphrases, phrases too", "METEOR's paraphrases, single words"),
    ("synonyms, phrases too", "synonyms, single words"),
    ("all, filtered by score", "all"),
    ("all, filtered by score and AddCos", "all, filtered by score"),
    ("the same, and AddCos's vocabulary", "all, filtered by score and AddCos"),
    ("all but METEOR", "all"),
    ("all but METEOR, filtered", "all but METEOR"),
    ("all but METEOR, words may move by 1", "all but METEOR"),
    ("all but METEOR, no punctuation", "all but METEOR"),
    ("all but METEOR, no punctuation", "WER, no punctuation"),
)
"""Settings that differ in one thing."""
