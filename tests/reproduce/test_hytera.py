"""The tables of Apidianaki et al. (2018) on small worlds of the same layouts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tercet.cli.reproduce_hytera import reproduce_hytera
from tercet.errors import InputError, OptionError, ShapeError
from tercet.lattice.automaton import Edge, Lattice
from tercet.lattice.files import to_json_lines
from tercet.lattice.openfst import to_openfst
from tercet.reproduce import hytera, hytera_published, ldc2014t09
from tercet.reproduce.hytera_published import Setting

REFERENCES = ["The cat sat on the mat", "A dog barked at the moon"]
SYSTEMS = {
    "good": ["the cat rested on the mat", "a dog howled at the moon"],
    "poor": ["cat mat sat", "moon a barked dog it"],
}
EDITED = {
    "good": ["the cat rested on the mat", "a dog howled at the moon"],
    "poor": ["the cat sat on the mat", "a dog barked at the moon"],
}


def network(words: list[str], place: int, *others: str) -> Lattice:
    edges = [Edge(i, i + 1, (word, *others) if i == place else (word,)) for i, word in enumerate(words)]
    return Lattice(len(words) + 1, tuple(edges), (len(words),))


NETWORKS = [
    network(REFERENCES[0].split(), 2, "rested", "Lay"),
    network(REFERENCES[1].split(), 2, "howled"),
]


def as_xml(kind: str, lines: list[str]) -> str:
    segments = "".join(f'<seg id="{i}">{line}</seg>\n' for i, line in enumerate(lines, start=1))
    return (
        f'<?xml version="1.0"?>\n<mteval>\n<{kind} setid="s" srclang="Chinese" trglang="English" refid="r" sysid="x">\n'
        f'<doc docid="d" genre="nw">\n{segments}</doc>\n</{kind}>\n</mteval>\n'
    )


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Arabic in plain lines and JSON, Chinese in mteval's XML and OpenFst text."""
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    for pair, xml in (("ar-en", False), ("zh-en", True)):
        folder = tmp_path / "LDC2014T09" / pair
        for name in ("references", "systems", "post-edits", *(["networks"] if xml else [])):
            (folder / name).mkdir(parents=True)
        kinds = {"references": "refset", "systems": "tstset", "post-edits": "refset"}
        texts = {
            "references": {"ref1": REFERENCES, "ref2": ["A cat was on the mat", "The dog barked at a moon"]},
            "systems": SYSTEMS,
            "post-edits": EDITED,
        }
        for part, files in texts.items():
            for name, lines in files.items():
                path = folder / part / f"{name}.{'xml' if xml else 'txt'}"
                path.write_text(as_xml(kinds[part], lines) if xml else "\n".join(lines) + "\n")
        if xml:
            for number, lattice in enumerate(NETWORKS, start=1):
                (folder / "networks" / f"{number}.fst").write_text(to_openfst(lattice))
        else:
            (folder / "networks.jsonl").write_text(to_json_lines(NETWORKS))
    table = tmp_path / "table.txt"
    table.write_text("sat rested lay\nbarked yelped\n")
    options = f"multiword=no,content=no,vectors=none,sources={table}"
    monkeypatch.setitem(ldc2014t09.SETTINGS, "HyTERA(allPars)", f"hytera-all:{options}")
    monkeypatch.setitem(ldc2014t09.SETTINGS, "HyTERA(allParsFiltered)", f"hytera:{options}")
    return tmp_path


def test_both_forms_of_the_release_say_the_same(release: Path) -> None:
    arabic, chinese = ldc2014t09.read_networks(release)
    assert [one.pair for one in (arabic, chinese)] == ["ar-en", "zh-en"]
    for one in (arabic, chinese):
        hyter = one.metric("HyTER")
        assert one.segments(hyter, "good").tolist() == [0, 0]
        assert one.segments(one.metric("HyTERA(allPars)"), "good").tolist() == [0, pytest.approx(100 / 6)]
        assert one.hter("good").tolist() == [0, 0]
        assert (one.hter("poor") > 30).all()


def test_tables(release: Path) -> None:
    found = ldc2014t09.read_networks(release)
    _, medians = ldc2014t09.table_1(found)
    assert [(row["system"], row["ours"]["ar-en"]) for row in medians] == [
        ("manual", 2.5), ("allPars", 4.0), ("allParsFiltered", 4.0)
    ]  # fmt: skip
    table, rows = ldc2014t09.table_2(found)
    by = {row["system"]: row for row in rows}
    assert by["HyTER"]["paper"] == {"ar-en": 0.667, "zh-en": 0.672}
    assert by["HyTER"]["ours"]["ar-en"] == by["HyTER"]["ours"]["zh-en"] > 0.8
    assert by["BLEU"]["ours"]["ar-en"] < 0  # it grows with quality, hTER with effort
    assert "Table 2" in table.render("text", color=False)
    _, scores = ldc2014t09.figure_2(found[0])
    assert [row["system"] for row in scores] == ["hTER", *ldc2014t09.SETTINGS]
    assert all(row["ours"]["good"] < row["ours"]["poor"] for row in scores[:-1])


def test_a_release_that_does_not_fit_together(release: Path) -> None:
    folder = release / "LDC2014T09" / "ar-en"
    (folder / "networks.jsonl").write_text(to_json_lines(NETWORKS[:1]))
    with pytest.raises(ShapeError, match="1 networks for 2 sentences"):
        ldc2014t09.read_networks(release)
    (folder / "post-edits" / "poor.txt").rename(folder / "post-edits" / "rich.txt")
    with pytest.raises(InputError, match="system 'poor' has no file in both"):
        ldc2014t09.read_networks(release)
    for file in (folder / "references").iterdir():
        file.unlink()
    with pytest.raises(InputError, match="references: no files"):
        ldc2014t09.read_networks(release)


@pytest.fixture
def years(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A year of direct assessment: the fewer words of the reference are left, the lower the score."""
    monkeypatch.setenv("TERCET_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "wmt15-da"
    folder.mkdir()
    generator = np.random.default_rng(2)
    vocabulary = ["red", "green", "blue", "big", "small", "house", "tree", "road"]
    for pair in ("cs-en", "de-en"):
        lines: dict[str, list[str]] = {"source": [], "reference": [], "mt-system": [], "human": []}
        for number in range(30):
            words = generator.choice(vocabulary, 8).tolist()
            kept = number % 9
            lines["source"].append("x")
            lines["reference"].append(" ".join(words))
            lines["mt-system"].append(
                " ".join([*words[:kept], *["large" if w == "big" else "?" for w in words[kept:]]])
            )
            lines["human"].append(str(kept + generator.normal() / 2))
        for name, texts in lines.items():
            (folder / f"DAseg.newstest2015.{name}.{pair}").write_text("\n".join(texts) + "\n")
    (tmp_path / "table.txt").write_text("big large\n")
    return tmp_path


def test_contributions(years: Path) -> None:
    [dataset] = hytera.datasets(years)
    assert [part.pair for part in dataset.parts] == ["cs-en", "de-en"]
    settings = [
        Setting("WER", "hyter"),
        Setting("table", f"hytera-all:sources={years / 'table.txt'},content=no"),
        Setting("nothing", "hytera-all:sources=,content=no"),
    ]
    rows = hytera.contributions(dataset, settings)
    by = {(row.name, row.normalize): row for row in rows}
    assert len(rows) == 9
    assert by["nothing", "sum"].values == by["WER", "sum"].values
    for normalize in hytera.NORMALIZERS:
        assert by["table", normalize].mean != by["WER", normalize].mean
        assert 0.9 < by["WER", normalize].mean < 1
        assert set(by["table", normalize].p_values) == {"cs-en", "de-en"}
    better = {"wmt15-da": rows, "wmt17-da": [replace(row, values={"cs-en": row.name == "nothing"}) for row in rows]}
    _, chosen = hytera.chosen_elsewhere(better)
    assert [(one["data"], one["chosen_on"]) for one in chosen] == [("wmt15-da", "wmt17-da"), ("wmt17-da", "wmt15-da")]
    assert (chosen[0]["system"], chosen[0]["ours"]["mean"]) == ("nothing", by["nothing", "reference"].mean)
    assert chosen[1]["system"] == max(rows, key=lambda row: row.mean).name
    compared = hytera.comparisons_table(dataset, rows, [("nothing", "WER"), ("table", "WER"), ("WER", "not measured")])
    assert [cell.text for cell in compared.rows[0]] == ["nothing", "WER", *["+0.000 (0, 0)"] * 3]
    assert len(compared.rows) == 2
    text = hytera.contributions_table(dataset, rows).render("text", color=False)
    assert "by reference" in text
    assert f"{by['table', 'sum'].mean:.3f}" in text


def test_the_command(release: Path) -> None:
    out = release / "out.json"
    reproduce_hytera(release, tables=[2], form="json", output=out, quiet=True)
    assert [table["name"] for table in json.loads(out.read_text())["tables"]] == ["table 2", "figure 2", "figure 2"]
    nothing = release / "cache"
    with pytest.raises(OptionError, match="Table 2 is for those who have the networks"):
        reproduce_hytera(nothing, tables=[2], form="json", output=out, quiet=True)
    with pytest.raises(InputError, match="has none of wmt16-da, wmt15-da, wmt17-da"):
        reproduce_hytera(nothing, tables=None, form="json", output=out, quiet=True)


def test_the_command_shows_what_each_part_contributes(years: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = [
        Setting("WER", "hyter"),
        Setting("all, single words", f"hytera-all:sources={years / 'table.txt'},content=no"),
    ]
    monkeypatch.setattr(hytera_published, "settings", lambda lists: some)
    (years / "wmt15-da").rename(years / "wmt17-da")
    reproduce_hytera(years, tables=[4], form="markdown", output=years / "out.md", quiet=True)
    text = (years / "out.md").read_text()
    assert "| all, single words | WER |" in text.partition("Differences of mean r")[2]
    assert "The best setting of another year" not in text  # there is one year
