"""An explanation for a terminal: plain words first, numbers behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tercet.compare.explanation import Explanation, Side
from tercet.compare.linking import linked
from tercet.compare.matching import Matching
from tercet.compare.names import short_names
from tercet.compare.words import counted, how_likely, listed
from tercet.tables import Table, width

COLUMNS = 100
MOST_REASONS = 12
_MARKS = {"exact": "=", "stem": "~", "synonym": "≈"}
_MISSING = "–"


def sentences(found: Explanation) -> list[str]:
    """The verdict and its reasons in plain words."""
    first, second = found.first, found.second
    one, other = first.system, second.system
    lines = [_verdict(found)]
    have = [len(side.words.links) for side in (first, second)]
    total = len(first.words.reference)
    lines.append(f"{one} has {have[0]} of the reference's {counted(total, 'word')}, {other} has {have[1]}.")
    covered = [{link.reference for link in side.words.links} for side in (first, second)]
    for mine, theirs, side in ((covered[0], covered[1], first), (covered[1], covered[0], second)):
        only = [first.words.reference[place] for place in sorted(mine - theirs)]
        if only:
            lines.append(f"Only {side.system} has {_quoted(only)}.")
    lines.append(f"To become the reference {one} takes {_edits(first)}, {other} {_edits(second)}.")
    if first.path is not None and second.path is not None:
        lines.append(
            f"To become the nearest paraphrase of it {one} takes {counted(first.path.edits, 'edit')}, "
            f"{other} {counted(second.path.edits, 'edit')}."
        )
    for sign, side in ((1, first), (-1, second)):
        named = [f"{name} ({sign * value:.2f})" for name, value in found.groups if sign * value >= 0.005][:3]
        if named:
            lines.append(f"For {side.system} speak{'s' * (len(named) == 1)} {listed(named)}.")
    return lines


def text(found: Explanation, *, color: bool = False) -> str:
    """All of an explanation."""
    found = _with_short_names(found)
    parts = [f"segment {found.segment}, {found.kind} {found.model}", "\n".join(sentences(found)), _texts(found)]
    parts += [_words(found), _reasons(found, color), _edit_lines(found)]
    if found.first.path is not None:
        parts.append(_paths(found))
    if found.reference_tree is not None:
        parts.append(_trees(found))
    return "\n\n".join(parts) + "\n"


def _with_short_names(found: Explanation) -> Explanation:
    first, second = short_names([found.first.system, found.second.system])
    return replace(found, first=replace(found.first, system=first), second=replace(found.second, system=second))


def _verdict(found: Explanation) -> str:
    better, worse = found.first.system, found.second.system
    likely = found.probability
    if found.verdict < 0:
        better, worse, likely = worse, better, 1 - likely
    if found.verdict == 0:
        return f"{better} and {worse} tie" + (f" ({100 * likely:.0f} % for {better})." * (found.kind == "model") or ".")
    if found.kind == "metric":
        return f"{better} is better than {worse}: {found.model} differs by {abs(found.margin):.2f}."
    people = f"{100 * likely:.0f} % of people who prefer one are expected to prefer it"
    return f"{better} is {how_likely(likely)} than {worse}: {people}."


def _edits(side: Side) -> str:
    kinds = {"substitution": "replaced", "insertion": "missing", "deletion": "too many"}
    counts = [(word, sum(o.edit == kind for o in side.edits.operations)) for kind, word in kinds.items()]
    counts.append(("moved", len(side.edits.shifts)))
    details = ", ".join(f"{count} {word}" for word, count in counts if count)
    return counted(side.edits.edits, "edit") + (f" ({details})" if details else "")


def _quoted(words: Sequence[str], most: int = 8) -> str:
    named = [f"“{word}”" for word in words[:most]]
    return listed(named) if len(words) <= most else f"{', '.join(named)} and {len(words) - most} more"


def _texts(found: Explanation) -> str:
    rows = [("source", found.source)] if found.source is not None else []
    rows += [("reference", found.reference), (found.first.system, found.first.text)]
    rows += [(found.second.system, found.second.text)]
    room = max(width(name) for name, _ in rows)
    return "\n".join(f"{name}{' ' * (room - width(name))}  {line}" for name, line in rows)


def _words(found: Explanation) -> str:
    """The words of the reference in columns, and under each what a translation has for it."""
    rows = [("reference", list(found.first.words.reference))]
    rows += [(side.system, _cells(side.words)) for side in (found.first, found.second)]
    room = max(width(name) for name, _ in rows)
    blocks: list[list[str]] = []
    used = COLUMNS
    for cells in zip(*(row for _, row in rows), strict=True):
        need = max(width(cell) for cell in cells) + 1
        if used + need > COLUMNS:
            blocks.append([name + " " * (room - width(name)) + " " for name, _ in rows])
            used = room + 1
        padded = [f" {cell}{' ' * (need - width(cell) - 1)}" for cell in cells]
        blocks[-1] = [line + cell for line, cell in zip(blocks[-1], padded, strict=True)]
        used += need
    lines = ["Words: = the same, ~ the same stem, ≈ a synonym, – missing"]
    lines += ["\n".join(line.rstrip() for line in block) for block in blocks]
    for side in (found.first, found.second):
        if side.words.added:
            lines.append(f"{side.system} adds {_quoted(side.words.added, 20)}.")
    return "\n".join(lines)


def _cells(words: Matching) -> list[str]:
    cells = [_MISSING] * len(words.reference)
    for link in words.links:
        mark, mine = _MARKS[link.stage], words.hypothesis[link.hypothesis]
        same = mine == words.reference[link.reference]
        cells[link.reference] = mark if same else mark + mine
    return cells


def _reasons(found: Explanation, color: bool) -> str:
    table = Table(
        ["contribution", "looks at", "feature", found.first.system, found.second.system],
        title=f"What the margin of {found.margin:+.4f} is made of (above 0 speaks for {found.first.system})",
        text_columns=(1, 2),
    )
    if len(found.reasons) > len(found.groups):
        for name, value in found.groups:
            table.add(f"{value:+.4f}", name, "together", "", "")
    for reason in found.reasons[:MOST_REASONS]:
        values = ["" if value != value else f"{value:.4g}" for value in (reason.first, reason.second)]
        table.add(f"{reason.contribution:+.4f}", reason.group, reason.feature, *values)
    rest = found.reasons[MOST_REASONS:]
    if rest:
        total = sum(reason.contribution for reason in rest)
        table.add(f"{total:+.4f}", "", f"{counted(len(rest), 'other feature')}", "", "")
    return table.render("text", color=color)


def _edit_lines(found: Explanation) -> str:
    lines = ["TER's edits: [-too many-] {+missing+} [replaced→by], shifts first"]
    for side in (found.first, found.second):
        moves = [f"“{' '.join(shift.words)}” moves" for shift in side.edits.shifts]
        shown = []
        for operation in side.edits.operations:
            word, wanted = operation.hypothesis, operation.reference
            shown.append(
                {
                    "match": word or "",
                    "substitution": f"[{word}→{wanted}]",
                    "insertion": f"{{+{wanted}+}}",
                    "deletion": f"[-{word}-]",
                }[operation.edit]
            )
        lines.append(f"{side.system}: {'; '.join([*moves, ' '.join(shown)])}")
    return "\n".join(lines)


def _paths(found: Explanation) -> str:
    lines = ["HyTERA: the nearest of the reference's paraphrases"]
    for side in (found.first, found.second):
        assert side.path is not None
        lines.append(
            f"{side.system}: {' '.join(side.path.path)} "
            f"({counted(side.path.edits, 'edit')}, {100 * side.path.ratio:.0f} %)"
        )
    return "\n".join(lines)


def _trees(found: Explanation) -> str:
    from tercet.language import draw

    assert found.reference_tree is not None
    lines = ["Trees: ✓ is found in the reference too"]
    for side in (found.first, found.second):
        if side.tree is not None:
            lines += [f"{side.system}:", draw(linked(side.tree, found.reference_tree)).text]
    return "\n".join(lines)
