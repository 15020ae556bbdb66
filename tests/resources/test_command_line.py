from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tercet import resources
from tercet.cli.resources import app
from tercet.errors import OptionError, ResourceError
from tests.resources.conftest import Declare


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


@pytest.fixture(autouse=True)
def two_toys(declare: Declare) -> None:
    declare()
    declare(name="toy2")


def test_install_list_verify_remove(cache: Path, toy_wheel: Path) -> None:
    installed = run("install", "toy", "--from", str(toy_wheel))
    assert installed.exit_code == 0, installed.output
    assert installed.stdout == f"toy: installed, 9 kB, {cache / 'toy'}\n"
    assert run("install", "toy").stdout == f"toy: already installed, 9 kB, {cache / 'toy'}\n"

    header, first, second = run("list").stdout.splitlines()
    assert header.split()[:3] == ["NAME", "STATE", "SIZE"]
    assert first.split()[:4] == ["toy", "installed", "9", "kB"]
    assert second.split()[:2] == ["toy2", "missing"]

    assert run("verify").stdout == "toy: whole\n"
    assert run("remove", "toy").stdout == "toy: removed, 9 kB free again\n"
    assert run("verify").stdout == "no resources are installed\n"


def test_list_as_json(cache: Path, toy_wheel: Path) -> None:
    resources.install("toy", sources=[toy_wheel])
    first, second = json.loads(run("list", "-f", "json").stdout)["resources"]
    assert (first["name"], first["installed"], first["state"], first["size"]) == ("toy", True, "installed", 9120)
    assert (first["licence"], first["origin"], first["folder"]) == ("CC0-1.0", ["toy 1.0 (pip)"], str(cache / "toy"))
    assert first["sha256"] == resources.fingerprint("toy")
    assert (second["name"], second["installed"], second["sha256"]) == ("toy2", False, None)


def test_several_with_pip(no_network: Path) -> None:
    result = run("install", "toy", "toy2", "toy")
    assert [line.split(",")[0] for line in result.stdout.splitlines()] == ["toy: installed", "toy2: installed"]
    assert result.stderr == ""


def test_verify_names_every_broken_file(cache: Path, toy_wheel: Path) -> None:
    for name in ("toy", "toy2"):
        resources.install(name, sources=[toy_wheel])
    for file in ("words.txt", "data/numbers.bin"):
        (cache / "toy" / file).write_bytes(b"")
    result = run("verify")
    assert result.stdout == "toy2: whole\n"
    first = f"{cache / 'toy/words.txt'}: 0 bytes instead of 4,000; run `tercet resources install toy`"
    second = f"{cache / 'toy/data/numbers.bin'}: 0 bytes instead of 5,120; run `tercet resources install toy`"
    assert result.stderr == f"tercet: {first}\n"
    assert isinstance(result.exception, ResourceError)
    assert str(result.exception) == second


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verify", "toy"], "the resource toy is not installed; run `tercet resources install toy`"),
        (["remove", "toy"], "the resource toy is not installed; there is nothing to remove"),
        (["verify", "tory"], "there is no resource 'tory'; there are toy, toy2"),
        (["remove", "toy", "tory"], "there is no resource 'tory'; there are toy, toy2"),
        (["install", "toy", "tory"], "there is no resource 'tory'; there are toy, toy2"),
    ],
)
def test_mistakes(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert isinstance(result.exception, ResourceError)
    assert str(result.exception) == message
    assert result.stdout == ""


def test_from_goes_with_one_name(toy_wheel: Path) -> None:
    assert isinstance(run("install", "toy", "toy2", "--from", str(toy_wheel)).exception, OptionError)
