"""One target in a process of its own: a crash ends this process and no other."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from fuzz.findings import Findings, HangError, Tally
from fuzz.target import TARGETS, Target

SECONDS = 5.0
"""Of processor time, for one input: more is a finding."""
STUCK = 300
"""Seconds by the clock in which native code, which no signal ends, must be through; the machine may be busy."""
MEMORY = 2048  # MB
LONGEST = 1 << 16
_WRITTEN_EVERY = 1.0  # of processor time; libFuzzer ends a process without a word


class Doorkeeper:
    """Calls a door again and again, and keeps what goes wrong."""

    def __init__(self, target: Target, folder: Path, work: Path) -> None:
        self.target, self.work = target, work
        self.findings = Findings(folder / "findings")
        self.tally = Tally.read(folder / "tally.json")
        self.last = folder / "last.bin"
        """What was being run, where a crash leaves no other trace."""
        self._written = self._start = time.process_time()
        self._before = self.tally.seconds
        signal.signal(signal.SIGPROF, _too_long)

    def look_again(self) -> None:
        """Runs what was found before; what is mended is put aside."""
        for file in sorted(self.findings.folder.glob("*.bin")):
            before = len(self.findings.known)
            self(file.read_bytes())
            if len(self.findings.known) == before:
                mended = self.findings.folder.parent / "mended"
                mended.mkdir(exist_ok=True)
                for part in (file, file.with_suffix(".txt")):
                    if part.exists():
                        part.replace(mended / part.name)

    def __call__(self, data: bytes) -> None:
        from tercet.errors import TercetError

        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            self.target.door(data, self.work)
        except TercetError as error:
            if "\n" in str(error) or not str(error):
                self._found(AssertionError(f"an error that is not one line: {str(error)[:200]!r}"), data)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:
            self._found(error, data)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        self.tally.executions += 1
        now = time.process_time()
        if now - self._written > _WRITTEN_EVERY:
            self._written = now
            self.write()

    def write(self) -> None:
        """How far it is."""
        self.tally.seconds = self._before + time.process_time() - self._start
        self.tally.write()

    def _found(self, error: BaseException, data: bytes) -> None:
        if self.findings.add(error, data):
            print(f"fuzz: {self.target.name}: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr, flush=True)


def _too_long(*_: object) -> None:
    raise HangError(f"more than {SECONDS:g} seconds of processor time")


def use_native(file: Path) -> None:
    """Another build of the kernels, such as one that checks every access to memory."""
    spec = importlib.util.spec_from_file_location("tercet._native", file)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{file}: not a module")
    sys.modules["tercet._native"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)


def plain(keeper: Doorkeeper, seconds: float, seed: int) -> None:
    """Mutation of the seeds without a guide."""
    from fuzz.mutation import mutated

    chance, until = random.Random(seed), time.monotonic() + seconds
    for data in keeper.target.seeds:
        keeper(data)
    while time.monotonic() < until:
        data = mutated(keeper.target.seeds, keeper.target.words, chance, most=LONGEST)
        keeper.last.write_bytes(data)
        keeper(data)
    keeper.last.unlink(missing_ok=True)
    keeper.write()


def guided(keeper: Doorkeeper, seconds: float, seed: int, folder: Path, atheris: object) -> None:
    """Mutation that is led by what code it reaches; does not come back."""
    corpus = folder / "corpus"
    corpus.mkdir(exist_ok=True)
    for number, data in enumerate(keeper.target.seeds):
        (corpus / f"seed-{number}").write_bytes(data)
    arguments = [
        *(sys.argv[0], str(corpus), f"-max_total_time={int(seconds)}", f"-timeout={STUCK}", f"-seed={seed}"),
        *(f"-rss_limit_mb={MEMORY}", f"-max_len={LONGEST}", f"-artifact_prefix={folder}/", "-verbosity=0"),
        *("-len_control=20", "-reload=0", "-detect_leaks=0"),
    ]
    if keeper.target.words:
        words = folder / "words.txt"
        words.write_text("".join(f'"{_escaped(word)}"\n' for word in keeper.target.words), "ascii")
        arguments.append(f"-dict={words}")
    atheris.Setup(arguments, keeper)  # type: ignore[attr-defined]
    atheris.Fuzz()  # type: ignore[attr-defined]


def _escaped(word: bytes) -> str:
    return "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\x{b:02x}" for b in word)


def main() -> None:
    """`python -m fuzz.child ROOM TARGET FOLDER SECONDS SEED ENGINE [NATIVE]`: what `python -m fuzz` starts."""
    parser = argparse.ArgumentParser()
    parser.add_argument("room")
    for name, kind in (("target", str), ("folder", Path), ("seconds", float), ("seed", int), ("engine", str)):
        parser.add_argument(name, type=kind)
    parser.add_argument("native", type=Path, nargs="?")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    work = Path(tempfile.mkdtemp(prefix="tercet-fuzz-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None))
    os.environ["TERCET_CACHE"] = str(work / "cache")
    if given.native is not None:
        use_native(given.native)
    run: Callable[[Doorkeeper], None]
    if given.engine == "atheris":
        import atheris

        with atheris.instrument_imports(include=["tercet"]):
            importlib.import_module(given.room)

        def run(keeper: Doorkeeper) -> None:
            guided(keeper, given.seconds, given.seed, given.folder, atheris)
    else:
        importlib.import_module(given.room)

        def run(keeper: Doorkeeper) -> None:
            plain(keeper, given.seconds, given.seed)

    given.folder.mkdir(parents=True, exist_ok=True)
    keeper = Doorkeeper(TARGETS[given.target], given.folder, work)
    try:
        keeper.look_again()
        run(keeper)
    finally:
        keeper.write()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
