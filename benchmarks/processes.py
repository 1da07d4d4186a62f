"""What processes use, as /proc has it, and how long they take."""

import os
import resource
import subprocess
import time
from contextlib import suppress
from pathlib import Path

TICKS_PER_S = os.sysconf("SC_CLK_TCK")
# with this variable each process would compile the whole tree again, as no learner's does
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def whole_process(argv: list[str]) -> float:
    """Runs a command and returns the milliseconds from its start to its end."""
    started = time.perf_counter()
    subprocess.run(argv, capture_output=True, check=True, env=ENVIRONMENT)
    return (time.perf_counter() - started) * 1e3


def both_times(argv: list[str]) -> tuple[float, float]:
    """Runs a command and returns its milliseconds: from start to end, and of the processors, with
    those children that it has waited for.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall = whole_process(argv)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, spent * 1e3


def cpu_ms(pid: int) -> float:
    """Returns the processor time of a process and of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) * 1e3 / TICKS_PER_S


def tree_cpu_ms(pid: int) -> float:
    """Returns the processor time of a process and of all that it has started, ended or not."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        children = [
            int(c)
            for t in Path(f"/proc/{pid}/task").iterdir()
            for c in (t / "children").read_text().split()
        ]
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) * 1e3 / TICKS_PER_S + sum(
        tree_cpu_ms(child) for child in children
    )


def pss_mib(pid: int) -> float:
    """Returns the proportional set size of one process."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return float("nan")


def children(pid: int) -> list[int]:
    """Returns the processes that one has started, by the process ids of this machine."""
    pids = []
    with suppress(OSError):  # it has just ended
        for thread in Path(f"/proc/{pid}/task").iterdir():
            pids += [int(child) for child in (thread / "children").read_text().split()]
    return pids


def descendants(pid: int) -> list[int]:
    """Returns every process below one."""
    return [p for child in children(pid) for p in (child, *descendants(child))]
