"""The figures of Stanojević & Sima'an (2017), Tables 1 and 2, as printed."""

from __future__ import annotations

OBJECTIVES = {"sentence": "sent", "corpus": "corpus", "joint": "joint"}
"""Ours, and as the paper calls them."""

INTO_ENGLISH = "X-en"
"""The column `en` of Table 1: the mean of the language pairs into English."""

_RR = (INTO_ENGLISH, "en-cs", "en-de", "en-fi", "en-ro", "en-ru", "en-tr", "mean")
_DA = ("en-ru", "cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en", "mean")

PUBLISHED: dict[str, dict[str, dict[str, float]]] = {
    "RR, corpora": {
        "sentence": dict(zip(_RR, (0.963, 0.977, 0.737, 0.938, 0.922, 0.905, 0.937, 0.912), strict=True)),
        "corpus": dict(zip(_RR, (0.944, 0.982, 0.765, 0.940, 0.917, 0.907, 0.954, 0.916), strict=True)),
        "joint": dict(zip(_RR, (0.963, 0.983, 0.748, 0.951, 0.933, 0.905, 0.946, 0.918), strict=True)),
    },
    "RR, sentences": {
        "sentence": dict(zip(_RR, (0.347, 0.405, 0.345, 0.304, 0.293, 0.382, 0.304, 0.340), strict=True)),
        "corpus": dict(zip(_RR, (0.337, 0.414, 0.349, 0.307, 0.292, 0.385, 0.325, 0.344), strict=True)),
        "joint": dict(zip(_RR, (0.350, 0.410, 0.356, 0.296, 0.299, 0.396, 0.312, 0.346), strict=True)),
    },
    "DA, corpora": {
        "sentence": dict(zip(_DA, (0.9113, 0.9839, 0.8483, 0.9556, 0.8348, 0.8888, 0.9706, 0.9133), strict=True)),
        "corpus": dict(zip(_DA, (0.9086, 0.9790, 0.8032, 0.9121, 0.7933, 0.8857, 0.9011, 0.8833), strict=True)),
        "joint": dict(zip(_DA, (0.9111, 0.9844, 0.8488, 0.9545, 0.8399, 0.8935, 0.9647, 0.9138), strict=True)),
    },
    "DA, sentences": {
        "sentence": dict(zip(_DA, (0.6655, 0.6478, 0.4930, 0.4608, 0.5066, 0.5535, 0.5800, 0.5582), strict=True)),
        "corpus": dict(zip(_DA, (0.5632, 0.5676, 0.3913, 0.3644, 0.3771, 0.4306, 0.4579, 0.4503), strict=True)),
        "joint": dict(zip(_DA, (0.6668, 0.6631, 0.5019, 0.4608, 0.5276, 0.5564, 0.5830, 0.5657), strict=True)),
    },
}
"""By table, objective and language pair of WMT16."""
PUBLISHED["DA, artificial corpora"] = PUBLISHED["DA, corpora"]
