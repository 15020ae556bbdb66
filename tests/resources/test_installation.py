from __future__ import annotations

import dataclasses
import errno
import json
import re
import shutil
import zipfile
from collections import namedtuple
from pathlib import Path

import pytest

from tercet import resources
from tercet.errors import InputError, ResourceError
from tercet.resources import clients
from tercet.resources.entry import Compiled, Maven, Resource, Wanted
from tests.resources.conftest import CONTENTS, Declare, describe, digest, wheel

JOIN = Compiled("tests.resources.test_installation:join", "all.bin", 20_000)


def join(source: Path, target: Path) -> None:
    """A compile step: all files in one."""
    files = sorted(path for path in source.rglob("*") if path.is_file())
    target.write_bytes(b"".join(path.read_bytes() for path in files))
    target.chmod(0o600)


def fill_the_disk(source: Path, target: Path) -> None:
    target.write_bytes(b"some")
    raise OSError(errno.ENOSPC, "No space left on device", str(target))


def interrupt(source: Path, target: Path) -> None:
    target.write_bytes(b"some")
    raise KeyboardInterrupt


def write_elsewhere(source: Path, target: Path) -> None:
    target.with_name("other").write_bytes(b"some")


def nothing_is_left(cache: Path) -> bool:
    """Only the lock file may be there."""
    return all(path.suffix == ".lock" for path in cache.iterdir())


def test_keeps_the_named_members_and_nothing_else(declare: Declare, cache: Path, toy_wheel: Path) -> None:
    declare()
    assert resources.install("toy", sources=[toy_wheel])
    kept = {path.relative_to(cache / "toy").as_posix() for path in cache.glob("toy/**/*") if path.is_file()}
    assert kept == {"words.txt", "data/numbers.bin", "manifest.json"}
    assert (cache / "toy/words.txt").read_bytes() == CONTENTS["toy/words.txt"]
    assert (cache / "toy/data/numbers.bin").read_bytes() == CONTENTS["toy/data/numbers.bin"]
    assert not list(cache.parents[1].rglob("evil.txt"))
    assert sorted(path.name for path in cache.iterdir()) == [".toy.lock", "toy"]


def test_manifest_states_what_was_installed(declare: Declare, cache: Path, toy_wheel: Path) -> None:
    declare()
    resources.install("toy", sources=[toy_wheel])
    manifest = json.loads((cache / "toy/manifest.json").read_text())
    words = CONTENTS["toy/words.txt"]
    assert (manifest["name"], manifest["version"], manifest["origin"]) == ("toy", "1", ["toy 1.0 (pip)"])
    assert manifest["files"]["words.txt"] == {"size": len(words), "sha256": digest(words)}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", manifest["date"])


def test_downloads_with_pip(declare: Declare, cache: Path, no_network: Path) -> None:
    declare()
    seen: list[tuple[str, int, int]] = []
    assert resources.install("toy", progress=lambda *step: seen.append(step))
    assert resources.find("toy", "words.txt").read_bytes() == CONTENTS["toy/words.txt"]
    assert "downloading toy-1.0-py3-none-any.whl" in {what for what, _, _ in seen}
    assert all(done <= total for _, done, total in seen)
    assert sorted(path.name for path in cache.iterdir()) == [".toy.lock", "toy"]


def test_compiles_and_keeps_the_result_alone(declare: Declare, cache: Path, toy_wheel: Path) -> None:
    declare(compiled=JOIN)
    resources.install("toy", sources=[toy_wheel])
    assert resources.find("toy", "all.bin").read_bytes() == CONTENTS["toy/data/numbers.bin"] + CONTENTS["toy/words.txt"]
    assert sorted(path.name for path in (cache / "toy").iterdir()) == ["all.bin", "manifest.json"]
    assert (cache / "toy/all.bin").stat().st_mode == (cache / "toy/manifest.json").stat().st_mode


def test_a_second_time_changes_nothing(declare: Declare, cache: Path, toy_wheel: Path) -> None:
    declare()
    resources.install("toy", sources=[toy_wheel])
    before = (cache / "toy/manifest.json").stat().st_mtime_ns
    toy_wheel.unlink()
    assert not resources.install("toy")
    assert (cache / "toy/manifest.json").stat().st_mtime_ns == before


@pytest.mark.parametrize("broken", ["cut short", "altered", "gone", "no manifest", "older"])
def test_repairs(declare: Declare, cache: Path, toy_wheel: Path, broken: str) -> None:
    declare()
    resources.install("toy", sources=[toy_wheel])
    words = cache / "toy/words.txt"
    content = words.read_bytes()
    match broken:
        case "cut short":
            words.write_bytes(content[:-1])
        case "altered":
            words.write_bytes(content[:-1] + b"!")
        case "gone":
            words.unlink()
        case "no manifest":
            (cache / "toy/manifest.json").unlink()
        case "older":
            declare(version="2")
    assert resources.install("toy", sources=[toy_wheel])
    assert words.read_bytes() == content
    assert resources.verify("toy").files.keys() == {"words.txt", "data/numbers.bin"}
    assert sorted(path.name for path in cache.iterdir()) == [".toy.lock", "toy"]


def test_wrong_archive_is_named_with_both_digests(declare: Declare, cache: Path, toy_wheel: Path) -> None:
    resource = declare()
    toy_wheel.write_bytes(toy_wheel.read_bytes()[:-10])
    with pytest.raises(ResourceError) as caught:
        resources.install("toy", sources=[toy_wheel])
    message = str(caught.value)
    assert digest(toy_wheel.read_bytes()) in message
    assert resource.archives[0].sha256 in message
    assert "nothing was installed" in message
    assert nothing_is_left(cache)


def test_wrong_download_is_named_with_both_digests(declare: Declare, cache: Path, no_network: Path) -> None:
    resource = declare()
    other = wheel(no_network, "toy", {"toy/words.txt": b"other words"})
    with pytest.raises(
        ResourceError, match=r"toy-1\.0-py3-none-any\.whl: sha256 is .*, expected .*; nothing was"
    ) as caught:
        resources.install("toy")
    assert digest(other.read_bytes()) in str(caught.value)
    assert resource.archives[0].sha256 in str(caught.value)
    assert nothing_is_left(cache)


def test_wrong_member_installs_nothing(declare: Declare, cache: Path, toy_wheel: Path) -> None:
    resource = declare()
    first, second = resource.archives[0].wanted
    for wanted in (dataclasses.replace(second, sha256="0" * 64), dataclasses.replace(second, member="toy/none.txt")):
        archive = dataclasses.replace(resource.archives[0], wanted=(first, wanted))
        declare(dataclasses.replace(resource, archives=(archive,)))
        with pytest.raises(ResourceError, match=f"{wanted.member}.*nothing was installed"):
            resources.install("toy", sources=[toy_wheel])
        assert nothing_is_left(cache)


def test_not_an_archive(declare: Declare, cache: Path, toy_wheel: Path, tmp_path: Path) -> None:
    resource = declare()
    text = tmp_path / "text.whl"
    text.write_text("no zip file")
    archive = dataclasses.replace(resource.archives[0], sha256=digest(text.read_bytes()))
    declare(dataclasses.replace(resource, archives=(archive,)))
    with pytest.raises(ResourceError, match=r"text\.whl: .* cannot be read from it .*; nothing was installed"):
        resources.install("toy", sources=[text])
    assert nothing_is_left(cache)


def test_a_failure_leaves_the_older_installation(declare: Declare, cache: Path, toy_wheel: Path) -> None:
    declare()
    resources.install("toy", sources=[toy_wheel])
    declare(version="2", compiled=dataclasses.replace(JOIN, function=f"{__name__}:fill_the_disk"))
    with pytest.raises(ResourceError, match="disk is full"):
        resources.install("toy", sources=[toy_wheel])
    declare()
    assert resources.verify("toy")


def test_disk_full(declare: Declare, cache: Path, toy_wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    declare(compiled=dataclasses.replace(JOIN, function=f"{__name__}:fill_the_disk"))
    with pytest.raises(
        ResourceError, match=r"resources: the disk is full, nothing was installed; toy needs .* MB"
    ) as caught:
        resources.install("toy", sources=[toy_wheel])
    assert "TERCET_CACHE" in str(caught.value)
    assert nothing_is_left(cache)

    declare(compiled=JOIN)
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(10**9, 10**9 - 1000, 1000))
    with pytest.raises(ResourceError, match="the disk is full"):
        resources.install("toy", sources=[toy_wheel])


def test_interrupted(declare: Declare, cache: Path, toy_wheel: Path) -> None:
    declare(compiled=dataclasses.replace(JOIN, function=f"{__name__}:interrupt"))
    with pytest.raises(KeyboardInterrupt):
        resources.install("toy", sources=[toy_wheel])
    assert nothing_is_left(cache)


def test_compile_step_that_does_not_do_its_work(declare: Declare, cache: Path, toy_wheel: Path) -> None:
    declare(compiled=dataclasses.replace(JOIN, function=f"{__name__}:write_elsewhere"))
    with pytest.raises(ResourceError, match=r"did not write all\.bin alone: all\.bin, other"):
        resources.install("toy", sources=[toy_wheel])
    declare(compiled=dataclasses.replace(JOIN, function="tercet.nowhere:step"))
    with pytest.raises(ResourceError, match=r"No module named 'tercet\.nowhere'; nothing was installed"):
        resources.install("toy", sources=[toy_wheel])
    assert nothing_is_left(cache)


def test_cache_that_cannot_be_written(declare: Declare, cache: Path, toy_wheel: Path) -> None:
    declare()
    cache.parent.write_text("a file where a folder should be")
    with pytest.raises(ResourceError, match=r"cache.*; toy is not changed, TERCET_CACHE can name another folder"):
        resources.install("toy", sources=[toy_wheel])


class TestSeveralArchives:
    @pytest.fixture
    def pair(self, declare: Declare, tmp_path: Path) -> tuple[Path, Path]:
        """A jar that is kept whole, and one of which a member is kept."""
        paths = []
        for name in ("whole.jar", "models.jar"):
            paths.append(tmp_path / "jars" / name)
            paths[-1].parent.mkdir(exist_ok=True)
            with zipfile.ZipFile(paths[-1], "w") as jar:
                jar.writestr("model", name)
        whole = describe(paths[0], Maven("org.toy", "toy", "1"), {}, {})
        kept = Wanted("toy.jar", None, whole.size, whole.sha256)
        models = Maven("org.toy", "toy", "1", "models")
        part = describe(paths[1], models, {"model": "model"}, {"model": b"models.jar"})
        archives = (dataclasses.replace(whole, wanted=(kept,)), part)
        declare(Resource("pair", "1", "two jars", "CC0-1.0", archives))
        return paths[0], paths[1]

    @pytest.mark.parametrize("order", [1, -1])
    def test_from_files_in_any_order(self, pair: tuple[Path, Path], order: int) -> None:
        resources.install("pair", sources=pair[::order])
        assert resources.find("pair", "toy.jar").read_bytes() == pair[0].read_bytes()
        assert resources.find("pair", "model").read_bytes() == b"models.jar"

    def test_from_a_folder(self, pair: tuple[Path, Path]) -> None:
        resources.install("pair", sources=[pair[0].parent])
        assert resources.verify("pair").origin == ("org.toy:toy:1 (mvn)", "org.toy:toy:1:jar:models (mvn)")

    def test_one_is_not_enough(self, pair: tuple[Path, Path], cache: Path) -> None:
        with pytest.raises(ResourceError, match=r"pair also needs models\.jar; give each with --from"):
            resources.install("pair", sources=pair[:1])
        assert nothing_is_left(cache)

    def test_by_another_name_the_contents_count(self, pair: tuple[Path, Path], tmp_path: Path) -> None:
        renamed = tmp_path / "download (1)"
        shutil.copy(pair[1], renamed)
        resources.install("pair", sources=[pair[0], renamed])
        assert resources.verify("pair")


def test_sources_that_are_not_there(declare: Declare, cache: Path, tmp_path: Path) -> None:
    declare()
    with pytest.raises(InputError, match=r"none\.whl: No such file or directory; --from takes"):
        resources.install("toy", sources=[tmp_path / "none.whl"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty: is a folder without toy-1\.0-py3-none-any\.whl"):
        resources.install("toy", sources=[tmp_path / "empty"])
    assert nothing_is_left(cache)


def test_package_that_pip_does_not_find(declare: Declare, cache: Path, no_network: Path, toy_wheel: Path) -> None:
    declare()
    toy_wheel.unlink()
    with pytest.raises(ResourceError) as caught:
        resources.install("toy")
    assert str(caught.value) == (
        "toy 1.0 (pip) cannot be fetched: No matching distribution found for toy==1.0; "
        "get toy-1.0-py3-none-any.whl on another machine and give it with --from"
    )
    assert nothing_is_left(cache)


def test_without_pip_or_mvn(declare: Declare, cache: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    resource = declare()
    monkeypatch.setattr(clients.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ResourceError, match=r"has no pip; run `python -m ensurepip`, or get toy-1\.0"):
        resources.install("toy")
    declare(_from_maven(resource))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ResourceError, match=r"no mvn on the PATH; install Maven, or get toy-1\.0"):
        resources.install("toy")
    assert nothing_is_left(cache)


def _from_maven(resource: Resource) -> Resource:
    archive = dataclasses.replace(resource.archives[0], origin=Maven("org.toy", "toy", "1.0", "models"))
    return dataclasses.replace(resource, archives=(archive,))


@pytest.fixture
def mvn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program called mvn, first on the PATH, still to be written."""
    program = tmp_path / "bin" / "mvn"
    program.parent.mkdir()
    program.touch(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    return program


def test_downloads_with_mvn(declare: Declare, mvn: Path, toy_wheel: Path, tmp_path: Path) -> None:
    declare(_from_maven(declare()))
    mvn.write_text(
        f'#!/bin/sh\necho "$@" > {tmp_path}/arguments\nfor last; do :; done\n'
        f'cp {toy_wheel} "${{last#-DoutputDirectory=}}"\n'
    )
    assert resources.install("toy")
    assert resources.verify("toy")
    assert "dependency:copy -Dartifact=org.toy:toy:1.0:jar:models" in (tmp_path / "arguments").read_text()


def test_mvn_that_brings_nothing(declare: Declare, mvn: Path, cache: Path) -> None:
    declare(_from_maven(declare()))
    mvn.write_text("#!/bin/sh\nexit 0\n")
    with pytest.raises(ResourceError, match=r"should give toy-1\.0-py3-none-any\.whl, not nothing"):
        resources.install("toy")
    mvn.write_text(
        "#!/bin/sh\nprintf '\\033[1m[ERROR] It is\\033[0m broken -> [Help 1]\\n[ERROR] \\n[ERROR] Advice.\\n'; exit 1\n"
    )
    with pytest.raises(
        ResourceError, match=r"org\.toy:toy:1\.0:jar:models \(mvn\) cannot be fetched: It is broken; get"
    ):
        resources.install("toy")
    assert nothing_is_left(cache)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("Collecting x\nERROR: No version of x\nERROR: No matching distribution\n", "No matching distribution"),
        (
            "WARNING: Retrying after connection broken by 'NewConnectionError'\nERROR: No matching distribution\n",
            "no network (No matching distribution)",
        ),
        ("[INFO] Scanning\n[ERROR] Failed: not there -> [Help 1]\n[ERROR] \n[ERROR] See x\n", "Failed: not there"),
        ("/usr/bin/python: No module named pip\n", "/usr/bin/python: No module named pip"),
        ("", "the client said nothing"),
        ("ERROR: " + "x" * 1000, "x" * 300 + "…"),
    ],
)
def test_why_a_client_failed(said: str, reason: str) -> None:
    assert clients.reason(said) == reason


def test_remove(declare: Declare, cache: Path, toy_wheel: Path) -> None:
    declare()
    resources.install("toy", sources=[toy_wheel])
    resources.remove("toy")
    assert nothing_is_left(cache)
    with pytest.raises(ResourceError, match="toy is not installed"):
        resources.remove("toy")
    for name in ("..", "", "toy/.."):
        with pytest.raises(ResourceError, match="there is no resource"):
            resources.remove(name)
