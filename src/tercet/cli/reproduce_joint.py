"""`tercet reproduce stanojevic2017`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from tercet.cli import arguments
from tercet.errors import OptionError


def reproduce_joint(
    data: Path, *, tables: Sequence[int] | None, epochs: int, seeds: int, form: str, output: Path | None, quiet: bool
) -> None:
    """Tables 1 (RR) and 2 (DA); 3 is what goes beyond: α by validation, a hidden layer, more features, the weights.

    With an output file the curve of α is drawn beside it.
    """
    import numpy as np

    from tercet.output import write_result
    from tercet.rankers.joint import JointOptions
    from tercet.rankers.joint_card import weights_table
    from tercet.rankers.joint_curve import alpha_svg
    from tercet.reproduce import stanojevic2017 as again
    from tercet.reproduce import stanojevic2017_tables as shown
    from tercet.reproduce.stanojevic2017_protocols import read_protocol
    from tercet.reproduce.stanojevic2017_published import OBJECTIVES
    from tercet.tables import Table, render_all

    wanted = sorted(set(tables or (1, 2, 3)))
    if not set(wanted) <= {1, 2, 3}:
        raise OptionError("stanojevic2017 has tables 1 and 2; 3 is what goes beyond")
    protocol = read_protocol(data)
    levels = [level for level in again.LEVELS if {"RR": 1, "DA": 2}[level[:2]] in wanted or 3 in wanted]
    found: list[Table] = []
    entries: list[dict[str, Any]] = []
    averages: dict[tuple[str, str], list[float]] = {}
    for seed in range(1, seeds + 1):
        runner = again.Runner(protocol, JointOptions(epochs=epochs, seed=seed))
        if not quiet:
            runner.told = lambda text, seed=seed: typer.echo(f"[seed {seed}] {text}", err=True)  # type: ignore[misc]
        models = runner.models(beyond=3 in wanted and seed == 1)
        measured = runner.measure(models, levels)
        for one in measured:
            for name in OBJECTIVES:
                averages.setdefault((one.level, name), []).append(one.average(name))
        if seed > 1:
            continue
        found += [shown.as_table(one, list(models)) for one in measured]
        entries += [shown.as_json(one, list(models)) for one in measured]
        found += [shown.claim_table(measured), shown.validation_table(models)]
        entries.append({"name": "validation", "rows": {name: one.card_["validation"] for name, one in models.items()}})
        if runner.points:
            found.append(shown.alpha_table(runner.points))
            if output is not None:
                chosen = max(runner.points, key=lambda point: point.score).alpha
                write_result(alpha_svg(runner.points, chosen), output.with_name(f"{output.stem}.alpha.svg"))
            entries.append({"name": "alpha", "rows": [vars(point) for point in runner.points]})
            weights = weights_table(models["joint"].explained(), most=8)
            weights.title = "The weights of the joint objective"
            found.append(weights)
    if seeds > 1:
        spread = Table(["level", "objective", "mean", "standard deviation"], f"Averages over {seeds} seeds", (0, 1))
        for (level, name), values in averages.items():
            spread.add(level, name, f"{np.mean(values):.4f}", f"{np.std(values, ddof=1):.4f}")
        found.append(spread)
        rows = [{"level": level, "system": name, "averages": values} for (level, name), values in averages.items()]
        entries.append({"name": "seeds", "rows": rows})
    found[-1].notes.append(f"{protocol.name}: {protocol.description}; {epochs} epochs.")
    about = {"paper": "stanojevic2017", "protocol": protocol.name, "epochs": epochs, "seeds": seeds}
    text = (
        json.dumps(about | {"tables": entries}, indent=2, ensure_ascii=False) + "\n"
        if form == "json"
        else render_all(found, form, color=arguments.colored(output))
    )
    write_result(text, output)
