"""What the queue between machines costs, what a second worker brings, and who waits how long: `make
bench` calls it.

Everything runs on this one machine: PostgreSQL, Redis, web, workers and whoever measures share its
cores, and one worker alone uses more than one. So the second worker is measured three times: as it
comes; with jobs of a known length that need no processor (they sleep), where only the system itself
can be in the way; and with a core for each worker, as if each were a machine of one core (`apart`).
"""

import argparse
import contextlib
import json
import os
import shutil
import signal
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from benchmarks.load import Client, part, served
from grader.model import Framework
from grader.problem import load
from server.models.accounts import User
from server.models.submissions import State, Submission
from server.services import submissions
from server.settings import Settings
from server.worker.dispatch import CeleryQueue
from tests.scaled.chaos import REST
from tests.scaled.services import until
from tests.scaled.stack import REPOSITORY, SLUG, Stack, stack

TICKS = os.sysconf("SC_CLK_TCK")
LEARNERS = 50


@dataclass(frozen=True, slots=True)
class Figures:
    """Milliseconds, except where the name says otherwise."""

    cores: int
    embedded_p50: float
    scaled_p50: float
    overhead_p50: float  # at most 15
    one_worker_a_second: float
    two_workers_a_second: float
    two_workers_ratio: float
    asleep_one_worker_a_second: float
    asleep_two_workers_a_second: float
    asleep_ratio: float  # at least 1.7
    queued: int
    lost: int
    mean_wait_s: float
    longest_wait_of_a_learner_to_mean: float  # at most 2
    longest_wait_to_mean: float
    worker_cpu_a_verdict: float
    postgres_cpu_a_verdict: float
    redis_cpu_a_verdict: float
    web_cpu_a_submission: float


def cpu_ms(pid: int) -> float:
    """Processor time of a process and all that it has started, also of those that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        children = [
            int(c)
            for t in Path(f"/proc/{pid}/task").iterdir()
            for c in (t / "children").read_text().split()
        ]
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) * 1000 / TICKS + sum(cpu_ms(child) for child in children)


def overhead(running: Stack, bank: Path, source: str, times: int) -> tuple[float, float]:
    """The embedded service and the scaled one side by side, asked in turns: the p50 of each from
    sending to the verdict.
    """
    with served(1) as (port, tokens):
        clients = [Client(port, tokens[0]), Client(running.port, running.tokens[0])]
        took: tuple[list[float], list[float]] = ([], [])
        for i in range(times + 5):
            for client, times_of_it in zip(clients, took, strict=True):
                ms, verdict = client.judged(f"{source}# {i}\n", "numpy")
                assert verdict == "accepted", verdict
                if i >= 5:
                    times_of_it.append(ms)
                # what a verdict leaves to do (the next child is cloned) is not to be in the other's
                # way
                time.sleep(0.1)
    return part(took[0], 0.5), part(took[1], 0.5)


def enqueue(running: Stack, source: str, count: int) -> list[int]:
    """So many submissions of all learners at one moment, and a hint for each."""
    problem = load(Path(running.environment["JUDGE_BANK"]), SLUG)
    with running.database.write() as session:
        users = session.scalars(select(User.id).order_by(User.id)).all()
        rows = [
            submissions.submit(
                session, users[i % len(users)], problem, Framework.NUMPY, f"{source}# {i}\n"
            )[0].id
            for i in range(count)
        ]
    queue = CeleryQueue(Settings(broker_url=running.redis.url()))
    for number in rows:
        queue.put(number)
    return rows


def drained(running: Stack, numbers: list[int], seconds: float) -> tuple[int, float]:
    """Wait until all are judged: how many are not, and verdicts a second between the first and the
    last.
    """

    def left() -> int:
        with running.database.read() as session:
            open_ = (Submission.id.in_(numbers), Submission.state != State.DONE)
            return session.scalar(select(func.count()).select_from(Submission).where(*open_)) or 0

    with contextlib.suppress(AssertionError):
        # to look costs what is measured
        until(lambda: left() == 0, seconds, "not everything is judged", pause=0.5)
    with running.database.read() as session:
        moments = sorted(
            m
            for m in session.scalars(select(Submission.judged_at).where(Submission.id.in_(numbers)))
            if m
        )
    return len(numbers) - len(moments), (len(moments) - 1) / max(
        1e-9, (moments[-1] - moments[0]).total_seconds()
    )


def best(running: Stack, source: str, count: int, turns: int = 3) -> float:
    """Verdicts a second, the best of a few times: the machine is not ours alone."""
    return max(drained(running, enqueue(running, source, count), 600)[1] for _ in range(turns))


def waits(running: Stack, numbers: list[int]) -> tuple[float, float, float]:
    """The mean wait in seconds; the longest of a learner (the mean of their own), and the longest
    of all, both as parts of it.
    """
    with running.database.read() as session:
        rows = session.execute(
            select(Submission.user_id, Submission.submitted_at, Submission.judged_at).where(
                Submission.id.in_(numbers)
            )
        )
        by_learner: dict[int, list[float]] = defaultdict(list)
        for user, sent, judged in rows:
            by_learner[user].append((judged - sent).total_seconds())
    every = [wait for of_one in by_learner.values() for wait in of_one]
    mean = statistics.fmean(every)
    return (
        mean,
        max(statistics.fmean(of_one) for of_one in by_learner.values()) / mean,
        max(every) / mean,
    )


@contextlib.contextmanager
def one_problem() -> Iterator[Path]:
    """A bank of one problem, for every service that is started meanwhile."""
    with tempfile.TemporaryDirectory(prefix="judge-bank-") as folder:
        for name in ("problems", "reference"):
            shutil.copytree(REPOSITORY / name / SLUG, Path(folder) / name / SLUG)
        before = os.environ.get("JUDGE_BANK")
        os.environ["JUDGE_BANK"] = folder
        try:
            yield Path(folder)
        finally:
            del os.environ["JUDGE_BANK"]
            os.environ.update({"JUDGE_BANK": before} if before else {})


def measure(count: int = 500, times: int = 60) -> Figures:
    """All of it against one stack: first with one worker, then with two."""
    with one_problem() as bank, stack(bank, workers=1, learners=LEARNERS) as running:
        right = (bank / "reference" / SLUG / "numpy.py").read_text()
        asleep = REST + right + f"\n{SLUG} = _rest({SLUG})\n"
        drained(running, enqueue(running, right, 20), 60)  # the first computes the answers
        assert running.web.process is not None
        web, sent = cpu_ms(running.web.process.pid), times + 5
        embedded, scaled = overhead(running, bank, right, times)
        web = cpu_ms(running.web.process.pid) - web
        one = best(running, right, count // 3)
        asleep_one = drained(running, enqueue(running, asleep, 40), 600)[1]
        running.worker()
        running.ready(2)
        drained(running, enqueue(running, right, 20), 60)
        two = best(running, right, count // 3)
        asleep_two = drained(running, enqueue(running, asleep, 80), 600)[1]
        before = _cpu(running)
        numbers = enqueue(running, right, count)
        lost, _ = drained(running, numbers, 600)
        spent = [(after - then) / count for after, then in zip(_cpu(running), before, strict=True)]
        mean, of_learner, longest = waits(running, numbers)
    values = {
        "one_worker_a_second": one,
        "two_workers_a_second": two,
        "two_workers_ratio": two / one,
    }
    values |= {
        "asleep_one_worker_a_second": asleep_one,
        "asleep_two_workers_a_second": asleep_two,
        "asleep_ratio": asleep_two / asleep_one,
    }
    values |= {
        "mean_wait_s": mean,
        "longest_wait_of_a_learner_to_mean": of_learner,
        "longest_wait_to_mean": longest,
    }
    values |= dict(
        zip(
            ("worker_cpu_a_verdict", "postgres_cpu_a_verdict", "redis_cpu_a_verdict"),
            spent,
            strict=True,
        )
    )
    return Figures(
        cores=os.cpu_count() or 1,
        embedded_p50=embedded,
        scaled_p50=scaled,
        overhead_p50=round(scaled - embedded, 1),
        queued=count,
        lost=lost,
        web_cpu_a_submission=round(web / sent, 1),
        **{name: round(value, 2) for name, value in values.items()},
    )


@dataclass(frozen=True, slots=True)
class Apart:
    """Workers as machines of one core each: verdicts a second, and milliseconds of processor time a
    verdict while both judge.
    """

    one_core_a_second: float
    two_cores_a_second: float
    two_cores_ratio: float  # at least 1.7
    one_core_each_worker_cpu: float
    one_core_each_postgres_cpu: float
    one_core_each_redis_cpu: float


def apart(count: int = 300, turns: int = 3) -> Apart:
    """A worker may use the first core and nothing else, with its rooms and all that it starts; the
    second worker the second core.

    Everything is queued before anybody judges, and nobody sends meanwhile. PostgreSQL and Redis run
    on both cores: beside one worker they have a core almost for themselves, beside two they take
    from what the workers have, which counts against the second worker.
    """
    with one_problem() as bank, stack(bank, workers=0, learners=LEARNERS) as running:
        right = (bank / "reference" / SLUG / "numpy.py").read_text()
        cores = sorted(os.sched_getaffinity(0))[:2]
        if len(cores) < 2:
            pytest.skip("two workers with a core each need two cores")
        rates: list[float] = []
        spent: list[float] = []
        for core in cores:
            running.worker("taskset", "--cpu-list", str(core))
            running.ready(len(running.workers))
            drained(running, enqueue(running, right, 100), 60)  # until both rooms are warm
            found = []
            for _ in range(turns):
                for worker in running.workers:
                    worker.all(signal.SIGSTOP)
                numbers, before = enqueue(running, right, count), _cpu(running)
                for worker in running.workers:
                    worker.all(signal.SIGCONT)
                lost, rate = drained(running, numbers, 600)
                assert lost == 0, running.logs()
                found.append(
                    (
                        rate,
                        [
                            (after - then) / count
                            for after, then in zip(_cpu(running), before, strict=True)
                        ],
                    )
                )
            rate, spent = max(found)
            rates.append(rate)
    return Apart(*(round(x, 2) for x in (*rates, rates[1] / rates[0], *spent)))


def lone(times: int = 60) -> tuple[float, float]:
    """Only the overhead: milliseconds of a lone learner's submission, embedded and scaled."""
    with one_problem() as bank, stack(bank, workers=1, learners=1) as running:
        return overhead(running, bank, (bank / "reference" / SLUG / "numpy.py").read_text(), times)


def _cpu(running: Stack) -> tuple[float, float, float]:
    def of(program: Any) -> float:
        return cpu_ms(program.process.pid) if program.process is not None else 0.0

    return sum(map(of, running.workers)), of(running.postgres), of(running.redis)


def missed(found: dict[str, Any]) -> list[str]:
    """The figures that are not what they should be."""
    most = {"overhead_p50": 15.0, "lost": 0, "longest_wait_of_a_learner_to_mean": 2.0}
    least = {"asleep_ratio": 1.7, "two_cores_ratio": 1.7}
    late = [
        f"{name} is {found[name]}; at most {limit}"
        for name, limit in most.items()
        if found[name] > limit
    ]
    return late + [
        f"{name} is {found[name]}; at least {limit}"
        for name, limit in least.items()
        if found[name] < limit
    ]


def show(found: dict[str, Any]) -> None:
    """A line for each."""
    for name, value in found.items():
        print(f"{name.replace('_', ' '):36} {value}")


def main() -> None:
    """Print the figures; status 1 when one is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--times", type=int, default=60)
    parser.add_argument("--json", action="store_true")
    parser.add_argument(
        "--lone", action="store_true", help="only a lone learner's submission, embedded and scaled"
    )
    parser.add_argument("--apart", action="store_true", help="only one worker and two, a core each")
    asked = parser.parse_args()
    if asked.apart:
        show(asdict(apart()))
        return
    if asked.lone:
        print("embedded p50 {}, scaled p50 {}".format(*lone(asked.times)))
        return
    try:
        found = asdict(measure(asked.count, asked.times)) | asdict(apart())
    except pytest.skip.Exception as reason:
        print(f"not measured: {reason}")
        return
    if asked.json:
        print(json.dumps(found))
    else:
        show(found)
    for line in missed(found):
        print(line, file=sys.stderr)
    sys.exit(1 if missed(found) else 0)


if __name__ == "__main__":
    main()
