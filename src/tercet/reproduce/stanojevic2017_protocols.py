"""What the objectives of Stanojević & Sima'an (2017) are trained, validated and tested on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tercet.corpus.judged import JudgedTexts
from tercet.errors import InputError
from tercet.rankers.judged_data import hold_out, read_judged_folder

SPLIT_SEED = 1
_ASSESSED_2016 = ("wmt16-da", "wmt16-da-systems")


@dataclass(frozen=True)
class Protocol:
    """What is learned from, validated and tested on; the language pairs of each test stand for themselves."""

    name: str
    description: str
    train: list[JudgedTexts]
    validation: list[JudgedTexts]
    compared: dict[str, list[JudgedTexts]]
    """Tests by comparisons (RR), by name."""
    assessed: dict[str, list[JudgedTexts]]
    """Tests by direct assessment (DA)."""


def read_protocol(data: Path) -> Protocol:
    """The paper's own protocol where WMT14 and WMT16 are there; else the years that are."""
    years = ("wmt12", "wmt13", "wmt14", "wmt15-da", "wmt16", *_ASSESSED_2016, "wmt17-da")
    there = [year for year in years if (data / year).is_dir()]
    if "wmt13" not in there:
        raise InputError("has no wmt13/ in it", file=data, remedy="give --data the folder that holds the WMT data")
    train = read_judged_folder(data / "wmt13")
    if "wmt14" in there and {"wmt16", *_ASSESSED_2016} & set(there):
        return Protocol(
            "official",
            "train on WMT13, validate on WMT14, test on WMT16: the paper's protocol",
            train,
            read_judged_folder(data / "wmt14"),
            _read(data, ("wmt16",), there),
            _read(data, _ASSESSED_2016, there),
        )
    if "wmt12" not in there:
        raise InputError("has no wmt12/ to validate on", file=data, remedy="add wmt12/, or wmt14/ and wmt16/")
    test, validation = hold_out(read_judged_folder(data / "wmt12"), 1 / 3, SPLIT_SEED)
    return Protocol(
        "here",
        "train on WMT13 fr-en, validate on a third of WMT12 by segment, test on its rest and on WMT15 and WMT17 DA",
        train,
        validation,
        {"wmt12": test},
        _read(data, ("wmt15-da", "wmt17-da"), there),
    )


def _read(data: Path, names: tuple[str, ...], there: list[str]) -> dict[str, list[JudgedTexts]]:
    return {name: read_judged_folder(data / name) for name in names if name in there}
