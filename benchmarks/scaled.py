"""Measures what the queue between machines costs, what a second worker adds, and the waits. `make
bench` runs it.

Everything runs on this one machine: PostgreSQL, Redis, web, workers and this program share its
cores, and one worker alone uses more than one. So the second worker is measured three times: as it
comes; with jobs of a known length that need no processor (they sleep), where only the system itself
can be in the way; and with a core for each worker, as if each were a machine of one core (`apart`).

Verdicts a second depend on what else the machine does, so the last one is told twice: as it was
seen, and from processor time. Only the second has a bound. It sees whatever a second worker makes
dearer; what it makes wait shows in the jobs that sleep.
"""

import argparse
import json
import os
import signal
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pytest

from benchmarks.client import Client, served
from benchmarks.drain import best, drained, enqueue, one_problem, service_cpu_ms, waits
from benchmarks.load import part
from benchmarks.processes import tree_cpu_ms
from tests.scaled.chaos import REST
from tests.scaled.stack import SLUG, Stack, stack

LEARNERS = 50
Spent = tuple[float, ...]  # milliseconds for a verdict: of the workers, of PostgreSQL, of Redis


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


@dataclass(frozen=True, slots=True)
class Apart:
    """Workers as machines of one core each: verdicts a second, and milliseconds of processor time a
    verdict while one judges, and while both do.
    """

    one_core_a_second: float
    two_cores_a_second: float
    two_cores_ratio: float
    two_cores_ratio_by_cpu: float  # at least 1.7
    one_core_worker_cpu: float
    one_core_postgres_cpu: float
    one_core_redis_cpu: float
    one_core_each_worker_cpu: float
    one_core_each_postgres_cpu: float
    one_core_each_redis_cpu: float


def overhead(running: Stack, bank: Path, source: str, times: int) -> tuple[float, float]:
    """Submits to the embedded service and to the scaled one, alternately.

    Returns the p50 of each, from sending to the verdict.
    """
    with served(1) as (port, tokens, _):
        clients = [Client(port, tokens[0]), Client(running.port, running.tokens[0])]
        took: tuple[list[float], list[float]] = ([], [])
        for i in range(times + 5):
            for client, times_of_it in zip(clients, took, strict=True):
                ms, verdict = client.judged(f"{source}# {i}\n", "numpy")
                assert verdict == "accepted", verdict
                if i >= 5:
                    times_of_it.append(ms)
                # the work after a verdict (cloning the next container) must not slow the other one
                time.sleep(0.1)
    return part(took[0], 0.5), part(took[1], 0.5)


def measure(count: int = 500, times: int = 60) -> Figures:
    """Measures everything against one stack: first with one worker, then with two."""
    with one_problem() as bank, stack(bank, workers=1, learners=LEARNERS) as running:
        right = (bank / "reference" / SLUG / "numpy.py").read_text()
        asleep = REST + right + f"\n{SLUG} = _rest({SLUG})\n"
        drained(running, enqueue(running, right, 20), 60)  # the first computes the answers
        assert running.web.process is not None
        web, sent = tree_cpu_ms(running.web.process.pid), times + 5
        embedded, scaled = overhead(running, bank, right, times)
        web = tree_cpu_ms(running.web.process.pid) - web
        one = best(running, right, count // 3)
        asleep_one = drained(running, enqueue(running, asleep, 40), 600)[1]
        running.worker()
        running.ready(2)
        drained(running, enqueue(running, right, 20), 60)
        two = best(running, right, count // 3)
        asleep_two = drained(running, enqueue(running, asleep, 80), 600)[1]
        before = service_cpu_ms(running)
        numbers = enqueue(running, right, count)
        lost, _ = drained(running, numbers, 600)
        spent = [
            (after - then) / count
            for after, then in zip(service_cpu_ms(running), before, strict=True)
        ]
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


def apart(count: int = 300, repeats: int = 3) -> Apart:
    """Measures one worker on the first core, then a second one on the second core.

    A worker, its rooms and everything that it starts use that core only.

    Everything is queued before a worker judges, and nothing is sent meanwhile. PostgreSQL and Redis
    run on both cores: beside one worker they have a core almost for themselves, beside two they
    take from what the workers have, which counts against the second worker in what is seen, and not
    in what follows from processor time.
    """
    with one_problem() as bank, stack(bank, workers=0, learners=LEARNERS) as running:
        right = (bank / "reference" / SLUG / "numpy.py").read_text()
        cores = sorted(os.sched_getaffinity(0))[:2]
        if len(cores) < 2:
            pytest.skip("two workers with a core each need two cores")
        rates: list[float] = []
        spent: list[Spent] = []
        for core in cores:
            running.worker("taskset", "--cpu-list", str(core))
            running.ready(len(running.workers))
            drained(running, enqueue(running, right, 100), 60)  # until both rooms are warm
            results = [_held_back(running, right, count) for _ in range(repeats)]
            rates.append(max(rate for rate, _ in results))
            # other programs only ever add to it
            spent.append(tuple(map(min, zip(*(cpu for _, cpu in results), strict=True))))
    ratios = (rates[1] / rates[0], ratio_by_cpu(*spent))
    return Apart(*(round(x, 2) for x in (*rates, *ratios, *spent[0], *spent[1])))


def _held_back(running: Stack, source: str, count: int) -> tuple[float, Spent]:
    """Queues so many while the workers stand still, then lets them go on.

    Returns the verdicts a second, and the processor time of a verdict.
    """
    for worker in running.workers:
        worker.all(signal.SIGSTOP)
    numbers, before = enqueue(running, source, count), service_cpu_ms(running)
    for worker in running.workers:
        worker.all(signal.SIGCONT)
    lost, rate = drained(running, numbers, 600)
    assert lost == 0, running.logs()
    after = service_cpu_ms(running)
    return rate, tuple((x - then) / count for x, then in zip(after, before, strict=True))


def ratio_by_cpu(one: Spent, two: Spent) -> float:
    """Returns how much more two machines of one core judge than one, from the processor time of a
    verdict while one worker judges, and while both do.

    A worker has its core, so it judges as many as fit into its time. What PostgreSQL and Redis need
    more for a verdict when two workers ask them is taken from the workers.
    """
    shared = max(0.0, sum(two[1:]) - sum(one[1:]))
    return 2 * one[0] / (two[0] + shared)


def lone(times: int = 60) -> tuple[float, float]:
    """Measures the overhead only: a submission of a single learner, embedded and scaled."""
    with one_problem() as bank, stack(bank, workers=1, learners=1) as running:
        return overhead(running, bank, (bank / "reference" / SLUG / "numpy.py").read_text(), times)


def missed(values: dict[str, Any]) -> list[str]:
    """Returns a sentence for each figure that is outside its bound."""
    most = {"overhead_p50": 15.0, "lost": 0, "longest_wait_of_a_learner_to_mean": 2.0}
    least = {"asleep_ratio": 1.7, "two_cores_ratio_by_cpu": 1.7}
    late = [
        f"{name} is {values[name]}; at most {limit}"
        for name, limit in most.items()
        if values[name] > limit
    ]
    return late + [
        f"{name} is {values[name]}; at least {limit}"
        for name, limit in least.items()
        if values[name] < limit
    ]


def show(values: dict[str, Any]) -> None:
    """Prints a line for each figure."""
    for name, value in values.items():
        print(f"{name.replace('_', ' '):36} {value}")


def main() -> None:
    """Prints the figures; exits with status 1 when one is outside its bound."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--times", type=int, default=60)
    parser.add_argument("--json", action="store_true")
    parser.add_argument(
        "--lone", action="store_true", help="only a lone learner's submission, embedded and scaled"
    )
    parser.add_argument("--apart", action="store_true", help="only one worker and two, a core each")
    parser.add_argument("--repeats", type=int, default=3, help="of --apart; the best counts")
    options = parser.parse_args()
    if options.apart:
        show(asdict(apart(options.count, options.repeats)))
        return
    if options.lone:
        print("embedded p50 {}, scaled p50 {}".format(*lone(options.times)))
        return
    try:
        values = asdict(measure(options.count, options.times)) | asdict(apart())
    except pytest.skip.Exception as reason:
        print(f"not measured: {reason}")
        return
    if options.json:
        print(json.dumps(values))
    else:
        show(values)
    for line in missed(values):
        print(line, file=sys.stderr)
    sys.exit(1 if missed(values) else 0)


if __name__ == "__main__":
    main()
