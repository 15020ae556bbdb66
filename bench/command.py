"""What a command takes: time, processor time and memory of all its processes."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

# A process counts as its own the memory that its parent held when it was started. So commands are started by a small
# process, and not by this one, which may have grown with what was measured before.
_START = """
import json, os, subprocess, sys, time
start = time.perf_counter()
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(child.pid, 0)
took = time.perf_counter() - start
cpu = usage.ru_utime + usage.ru_stime
print(json.dumps([os.waitstatus_to_exitcode(status), took, cpu, usage.ru_maxrss / 1024]))
"""


@dataclass(frozen=True)
class Cost:
    """Seconds by the clock and of all processors, and the most memory of any of a command's processes."""

    wall: float
    cpu: float
    megabytes: float


def tercet(*arguments: str | Path | int) -> Cost:
    """Runs a command and waits for it and for all processes that it started."""
    command = [sys.executable, "-m", "tercet", *map(str, arguments)]
    said = subprocess.run([sys.executable, "-c", _START, *command], stdout=subprocess.PIPE, check=True).stdout
    code, wall, cpu, megabytes = json.loads(said)
    if code:
        raise RuntimeError(f"tercet {' '.join(map(str, arguments))} ended with {code}")
    return Cost(wall, cpu, megabytes)
