"""A long run: `make soak` sends 200,000 submissions over HTTP to a service of its own, 5 % of them
hostile, and looks at the machine after each tenth.

Nothing may grow: the memory of any process, descriptors, processes, mounts, the queue, the rows of
tables to which a submission adds nothing. The last tenth may wait at most 1.1 times as long as the
first, or cost at most 1.1 times as much: what a verdict costs does not depend on what else the
machine does. With `--minutes` the run ends after that time, and shows what it has done.
"""

import argparse
import contextlib
import itertools
import random
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.client import Client, served
from benchmarks.load import part
from benchmarks.processes import descendants, pss_mib, tree_cpu_ms
from grader.model import Framework, Outcome
from grader.problem import Problem, default_bank, load
from tests.attacks.matrix import attacks

CLIENTS, PARTS = 8, 10
HOSTILE, WRONG = 0.05, 0.25  # of the submissions; the others are right
SLOW_MS = 1500.0  # a hostile one that takes longer (to a limit) comes at most once in each part
PROBLEMS = ("scaled_dot_product_attention", "masked_attention", "stable_softmax", "layer_norm")
# a row for each submission; for each verdict that a problem had, and each problem that one tried
GROWING = frozenset(["submissions", "problem_counts", "tries"])
SETTLE_S = 3.0
MOST = 1.1  # of the last part, where the first is 1
MOST_MORE = 5  # processes and descriptors: a moment's difference is none


@dataclass(frozen=True, slots=True)
class Server:
    """A running service, and a token for each client."""

    port: int
    tokens: list[str]
    pid: int
    folder: Path


@dataclass(frozen=True, slots=True)
class Sent:
    """A submission, and the verdicts that are right for it."""

    problem: str
    framework: Framework
    source: str
    verdicts: frozenset[str]
    hostile: bool = False


@dataclass(slots=True)
class Answers:
    """What came of the submissions of one part."""

    waits: list[float] = field(default_factory=list)  # milliseconds, of those not hostile
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the run, and the machine after it."""

    verdicts: int
    seconds: float
    p50: float
    p95: float
    cpu_ms: float  # of the service, for each verdict
    memory: Mapping[int, float]  # MiB of each process
    descriptors: int
    mounts: int
    queued: int
    rows: int  # of the tables that need not grow
    wrong: Sequence[str]


def ordinary() -> tuple[list[Sent], list[Sent]]:
    """Returns right submissions and wrong ones, in both frameworks."""
    right: list[Sent] = []
    wrong: list[Sent] = []
    for problem in (load(default_bank(), slug) for slug in PROBLEMS):
        for framework, source in problem.references.items():
            right.append(Sent(problem.slug, framework, source, frozenset([Outcome.ACCEPTED])))
            wrong += _mistakes(problem, framework)
    return right, wrong


def _mistakes(problem: Problem, framework: Framework) -> Iterator[Sent]:
    refused = frozenset(Outcome) - {Outcome.ACCEPTED, Outcome.JUDGE_ERROR}
    for mistake in problem.mistakes:
        if framework in mistake.sources and mistake.verdict is Outcome.WRONG_ANSWER:
            yield Sent(problem.slug, framework, mistake.sources[framework], refused)


def hostile() -> list[Sent]:
    """Returns the hostile submissions that anybody could send as they are."""
    return [
        Sent(each.problem, each.framework, each.source, each.verdicts, hostile=True)
        for each in attacks()
        if each.rules and each.limits is None
    ]


def send(server: Server, sent: Sequence[Sent], numbers: Iterator[int]) -> Answers:
    """Lets the clients share the submissions, each one after the other."""
    answers, queue, lock = Answers(), iter(sent), threading.Lock()

    def work(token: str) -> None:
        client = Client(server.port, token)
        while True:
            with lock:
                each, number = next(queue, None), next(numbers)
            if each is None:
                return
            ms, verdict = client.judged(
                f"{each.source}\n# {number}\n", each.framework, each.problem
            )
            with lock:
                if not each.hostile:
                    answers.waits.append(ms)
                if verdict not in each.verdicts:
                    answers.wrong.append(f"{each.problem}: {verdict} for {each.source[:60]!r}")

    threads = [threading.Thread(target=work, args=(token,), daemon=True) for token in server.tokens]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


class Mixture:
    """Puts the submissions of a part together. What is slow is found out by sending it once."""

    def __init__(self, server: Server, numbers: Iterator[int], seed: int = 0) -> None:
        self._chance = random.Random(seed)
        self._right, self._wrong = ordinary()
        send(server, [*self._right, *self._wrong], numbers)  # the answers are then in the cache
        self._quick: list[Sent] = []
        self._slow: list[Sent] = []
        client = Client(server.port, server.tokens[0])
        for each in hostile():
            ms, _ = client.judged(each.source, each.framework, each.problem)
            (self._slow if ms > SLOW_MS else self._quick).append(each)

    def of(self, count: int) -> list[Sent]:
        """Returns so many submissions in a random order."""
        bad, some = round(count * HOSTILE), round(count * WRONG)
        slow = self._slow[: bad // 5]
        chosen = slow + self._chance.choices(self._quick, k=bad - len(slow))
        chosen += self._chance.choices(self._wrong, k=some)
        chosen += self._chance.choices(self._right, k=count - bad - some)
        self._chance.shuffle(chosen)
        return chosen


def measure(server: Server, sent: Sequence[Sent], numbers: Iterator[int]) -> Part:
    """Sends one part and looks at the machine once it has come to rest."""
    cpu, began = tree_cpu_ms(server.pid), time.monotonic()
    answers = send(server, sent, numbers)
    seconds = time.monotonic() - began
    cpu = tree_cpu_ms(server.pid) - cpu
    time.sleep(SETTLE_S)
    pids = [server.pid, *descendants(server.pid)]
    queued, rows = _tables(server.folder)
    return Part(
        verdicts=len(sent),
        seconds=seconds,
        p50=part(answers.waits, 0.5),
        p95=part(answers.waits, 0.95),
        cpu_ms=cpu / len(sent),
        memory={pid: pss_mib(pid) for pid in pids},
        descriptors=sum(_count(Path(f"/proc/{pid}/fd")) for pid in pids),
        mounts=len(Path("/proc/self/mountinfo").read_text().splitlines()),
        queued=queued,
        rows=rows,
        wrong=answers.wrong,
    )


def _count(folder: Path) -> int:
    with contextlib.suppress(OSError):
        return sum(1 for _ in folder.iterdir())
    return 0


def _tables(folder: Path) -> tuple[int, int]:
    """Returns how many submissions wait or run, and the rows of the tables that need not grow."""
    with contextlib.closing(sqlite3.connect(folder / "judge.sqlite3", timeout=60)) as database:
        names = [
            name
            for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        rows = {name: _one(database, f'SELECT count(*) FROM "{name}"') for name in names}
        waiting = "SELECT count(*) FROM submissions WHERE state IN ('queued', 'running')"
        return _one(database, waiting), sum(n for name, n in rows.items() if name not in GROWING)


def _one(database: sqlite3.Connection, query: str) -> int:
    (value,) = database.execute(query).fetchone()
    return int(value)


def trouble(parts: Sequence[Part]) -> list[str]:
    """Returns a sentence for everything that has grown, and for each wrong verdict."""
    first, last = parts[0], parts[-1]
    faults = [line for each in parts for line in each.wrong]
    for name, most in (("descriptors", MOST_MORE), ("mounts", 0), ("queued", 0), ("rows", 0)):
        before, after = getattr(first, name), getattr(last, name)
        if after > before + most:
            faults.append(f"{name}: {before} became {after}")
    if len(last.memory) > len(first.memory) + MOST_MORE:
        faults.append(f"processes: {len(first.memory)} became {len(last.memory)}")
    for pid in first.memory.keys() & last.memory.keys():
        before, after = first.memory[pid], last.memory[pid]
        if after > before * MOST + 1:
            faults.append(f"memory of process {pid}: {before:.0f} MiB became {after:.0f}")
    if last.p95 > first.p95 * MOST and last.cpu_ms > first.cpu_ms * MOST:
        faults.append(f"a verdict: p95 {first.p95} ms became {last.p95}, and costs more too")
    return faults


COLUMNS = (
    "verdicts, a second, p50 ms, p95 ms, CPU ms, MiB, processes, descriptors, mounts, queued,"
    " other rows, wrong"
)


def show(parts: Sequence[Part]) -> None:
    """Prints one row for each part."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for name in COLUMNS.split(", "):
        table.add_column(name, justify="right")
    for each in parts:
        table.add_row(*(f"{figure:.4g}" for figure in _figures(each)))
    Console(width=130).print(table)
    sys.stdout.flush()


def _figures(each: Part) -> list[float]:
    """Returns what stands in a row, in the order of `COLUMNS`."""
    spent = [each.verdicts, each.verdicts / each.seconds, each.p50, each.p95, each.cpu_ms]
    held = [sum(each.memory.values()), len(each.memory), each.descriptors, each.mounts]
    return [*spent, *held, each.queued, each.rows, len(each.wrong)]


def run(verdicts: int, minutes: float) -> list[Part]:
    """Sends the parts until all are done or the time is over, at least one."""
    numbers = itertools.count()
    parts: list[Part] = []
    with tempfile.TemporaryDirectory() as name, served(CLIENTS, Path(name)) as started:
        server = Server(*started, Path(name))
        mixture = Mixture(server, numbers)
        end = time.monotonic() + minutes * 60
        while not parts or (len(parts) < PARTS and time.monotonic() < end):
            parts.append(measure(server, mixture.of(verdicts // PARTS), numbers))
            show(parts[-1:])
    return parts


def main() -> None:
    """Prints the parts; exits with status 1 when anything grew or a verdict was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--verdicts", type=int, default=200_000)
    parser.add_argument("--minutes", type=float, default=24 * 60)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # which ends the service as well
    parts = run(options.verdicts, options.minutes)
    show(parts)
    faults = trouble(parts)
    for line in faults:
        print(line, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
