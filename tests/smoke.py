"""An installed wheel, alone: `python tests/smoke.py` needs nothing but tercet and what it installs with it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

TERCET = [sys.executable, "-I", "-m", "tercet"]  # -I: what is installed, and not what lies in this folder


def run(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """A command, which must end as it is expected to."""
    ended = subprocess.run([*TERCET, *arguments], capture_output=True, text=True, encoding="utf-8")
    if ended.returncode != code:
        raise SystemExit(f"tercet {' '.join(arguments)} ended with {ended.returncode}:\n{ended.stderr}")
    return ended


def main() -> None:
    """Scores, a comparison with its report, an error in one line."""
    with tempfile.TemporaryDirectory() as folder:
        names = ("reference", "a", "b")
        files = [str(Path(folder) / f"{name}.txt") for name in names]
        for file, text in zip(
            files, ("the cat sat\non the mat\n", "the cat sat\non a mat\n", "cat\nmat\n"), strict=True
        ):
            Path(file).write_text(text, "utf-8")
        scored = run("score", "-r", files[0], "-t", *files[1:], "-m", "bleu", "chrf", "ter", "-f", "json")
        metrics = json.loads(scored.stdout)["metrics"]
        assert set(metrics) == {"bleu", "chrf", "ter"}, metrics
        assert metrics["ter"]["systems"]["a"]["score"] < metrics["ter"]["systems"]["b"]["score"]
        report = Path(folder) / "report.html"
        compared = run("compare", "-r", files[0], "-t", *files[1:], "--html", str(report), "-f", "json")
        assert json.loads(compared.stdout)["ranking"][0]["system"] == "a"
        assert report.stat().st_size > 10_000
        wrong = run("score", "-r", files[0], "-t", str(Path(folder) / "nowhere"), code=2)
        assert wrong.stderr.startswith("tercet: ") and wrong.stderr.count("\n") == 1, wrong.stderr  # noqa: PT018
    print("tercet works here")


if __name__ == "__main__":
    main()
