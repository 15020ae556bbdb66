"""`python -m fuzz [TARGET ...] [--seconds N]`: hostile input for every door, one after the other."""

from __future__ import annotations

import importlib
import importlib.util
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer

from fuzz.doors import ROOMS
from fuzz.findings import Tally
from fuzz.target import TARGETS
from tercet.tables import Table

FOLDER = Path(__file__).parents[1] / "build" / "fuzz"


def main(
    names: Annotated[list[str] | None, typer.Argument(help="Which targets; all by default.")] = None,
    seconds: Annotated[int, typer.Option(help="For each target.")] = 30,
    rounds: Annotated[int, typer.Option(help="How often all of them are run.")] = 1,
    seed: Annotated[int, typer.Option(help="Of the first round; the others count on.")] = 1,
    engine: Annotated[str, typer.Option(help="atheris or plain. [default: atheris where it is installed]")] = "",
    folder: Annotated[Path, typer.Option(help="Where corpora, counts and findings are kept.")] = FOLDER,
    native: Annotated[Path | None, typer.Option(help="A build of the kernels to use, see docs/security.md.")] = None,
    report: Annotated[bool, typer.Option("--report", help="Only show what all runs so far came to.")] = False,
) -> None:
    """Run the targets; exits with 1 if there are findings."""
    for room in ROOMS:
        importlib.import_module(f"fuzz.doors.{room}")

    unknown = [name for name in names or () if name not in TARGETS]
    if unknown:
        raise SystemExit(f"there is no target {unknown[0]!r}; there are {', '.join(TARGETS)}")
    chosen = names or list(TARGETS)
    engine = engine or ("atheris" if importlib.util.find_spec("atheris") else "plain")
    for number in range(0 if report else rounds):
        for name in chosen:
            room = TARGETS[name].room
            _run([room, name, folder / name, seconds, seed + number, engine, *([native] if native else [])])
    found = show(chosen, folder)
    raise SystemExit(1 if found else 0)


def _run(arguments: list[Any]) -> None:
    _, name, folder, _, seed, *_ = arguments
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "fuzz.child", *map(str, arguments)]
    with tempfile.TemporaryFile() as log:
        ended = subprocess.run(command, stdout=log, stderr=log, check=False).returncode
        log.seek(0)
        said = log.read().decode("utf-8", "replace")
    print("".join(f"{line}\n" for line in said.splitlines() if line.startswith("fuzz: ")), end="", flush=True)
    if ended:  # the end of the process itself: a crash, no memory left, or a hang in native code
        print(f"fuzz: {name}: the process ended with {ended}", flush=True)
        crashes = folder / "findings"
        crashes.mkdir(exist_ok=True)
        (crashes / f"crash-{seed}.txt").write_text(said[-20_000:], "utf-8")
        if (folder / "last.bin").is_file():
            shutil.move(folder / "last.bin", crashes / f"crash-{seed}.bin")


def show(names: list[str], folder: Path) -> int:
    """Prints what all runs came to; how many findings there are."""
    table = Table(["target", "executions", "processor time", "findings"], text_columns=(0,))
    total, hours, all_found = 0, 0.0, 0
    for name in names:
        tally = Tally.read(folder / name / "tally.json")
        found = len(list((folder / name / "findings").glob("*.txt")))
        table.add(name, f"{tally.executions:,}", f"{tally.seconds / 60:,.1f} min", str(found))
        total, hours, all_found = total + tally.executions, hours + tally.seconds / 3600, all_found + found
    table.add("all", f"{total:,}", f"{hours:,.2f} h", str(all_found))
    print(table.render("text"), end="")
    return all_found


if __name__ == "__main__":
    typer.run(main)
