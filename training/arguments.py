"""What all training commands ask for, and how they show what they measured."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from tercet.language.sequence import MODELS


def parse(name: str) -> argparse.Namespace:
    """--data, --output and --part."""
    parser = argparse.ArgumentParser(prog=f"python -m training.{name}")
    parser.add_argument("--data", type=Path, required=True, help="folder that holds english/, or that folder itself")
    parser.add_argument("--output", type=Path, default=MODELS, help="folder for the weights (default: the package's)")
    parser.add_argument("--part", choices=["dev", "test"], default="test", help="what to measure on (default: test)")
    return parser.parse_args()


def show(figures: Mapping[str, str]) -> None:
    """One figure a line."""
    for what, figure in figures.items():
        print(f"{what:70} {figure}", flush=True)
