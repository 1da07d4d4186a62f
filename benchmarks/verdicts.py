"""Measures how long a verdict takes, warm and cold, beside the same calls without a sandbox."""

import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping

from benchmarks.figures import Figure, at_least, at_most
from benchmarks.processes import both_times, cpu_ms, descendants, whole_process
from grader.judge import judge
from grader.model import Framework, Outcome, Submission
from grader.problem import Problem, default_bank
from grader.sandbox import SandboxPool

SLUG = "scaled_dot_product_attention"
ROUNDS = 100
RUNS = 11  # of whole commands
TURNS = 5  # of calls and verdicts at each pace
SECONDS = 6.0
PAUSE_MS = 10  # a learner does not submit back to back; throughput is measured below
PAUSES_MS = (0, 10, 50, 200)


def verdict_times(
    problem: Problem,
    framework: Framework,
    sandbox: SandboxPool,
    rounds: int,
    pause_ms: int = PAUSE_MS,
) -> list[float]:
    """Judges the reference, and returns the milliseconds of each verdict."""
    times = []
    for _ in range(rounds):
        time.sleep(pause_ms / 1e3)
        source = problem.references[framework]
        times.append(_verdict_ms(problem, framework, source, sandbox, True))
    return times


def failing_times(problem: Problem, framework: Framework, sandbox: SandboxPool) -> dict[str, float]:
    """Judges each known mistake once, and returns the milliseconds of each verdict."""
    return {
        mistake.name: _paused_ms(problem, framework, mistake.sources[framework], sandbox)
        for mistake in problem.mistakes
        if framework in mistake.sources
    }


def _paused_ms(problem: Problem, framework: Framework, source: str, sandbox: SandboxPool) -> float:
    time.sleep(PAUSE_MS / 1e3)
    return _verdict_ms(problem, framework, source, sandbox, False)


def _verdict_ms(
    problem: Problem, framework: Framework, source: str, sandbox: SandboxPool, right: bool
) -> float:
    started = time.perf_counter()
    verdict = judge(problem, Submission(framework, source), sandbox)
    taken = (time.perf_counter() - started) * 1e3
    assert (verdict.verdict is Outcome.ACCEPTED) is right, verdict.message
    return taken


def warm(problem: Problem, sandbox: SandboxPool) -> Iterator[Figure]:
    """Compares warm verdicts with the same calls without a sandbox, and with cold processes."""
    for framework, limit, extra in ((Framework.NUMPY, 12.0, 9.0), (Framework.TORCH, 25.0, 20.0)):
        verdict_times(problem, framework, sandbox, 10)
        failing_times(problem, framework, sandbox)
        inside, sealed, failing = [], [], []
        for _ in range(3):  # in turn, so that a slow minute of the machine affects all three
            inside.append(in_process(framework, ROUNDS))
            sealed += verdict_times(problem, framework, sandbox, ROUNDS // 3)
            failing.append(failing_times(problem, framework, sandbox))
        median, plain = statistics.median(sealed), statistics.median(inside)
        cold = statistics.median(
            whole_process([sys.executable, "-m", "benchmarks.in_process", str(framework), "1"])
            for _ in range(3)
        )
        yield at_most(f"warm verdict, {framework}, p50", median, "ms", limit)
        yield Figure(
            f"warm verdict, {framework}, p95", statistics.quantiles(sealed, n=20)[-1], "ms"
        )
        told = [statistics.median(each[name] for each in failing) for name in failing[0]]
        name = f"failing verdict, told on public twins, {framework}"
        yield Figure(f"{name}, p50 of the known mistakes", statistics.median(told), "ms")
        yield at_most(f"{name} / accepted one, p50", statistics.median(told) / median, "×", 2)
        yield Figure(f"{name} / accepted one, the slowest", max(told) / median, "×")
        yield Figure(f"the same calls in a warm interpreter, {framework}", plain, "ms")
        yield from _paces(problem, framework, sandbox)
        yield at_most(f"the sandbox adds, {framework}", median - plain, "ms", extra)
        yield Figure(f"the same in a cold subprocess, {framework}", cold, "ms")
        yield (
            at_least(f"cold subprocess / warm verdict, {framework}", cold / median, "×", 40)
            if framework is Framework.TORCH
            else Figure(f"cold subprocess / warm verdict, {framework}", cold / median, "×")
        )


def _paces(problem: Problem, framework: Framework, sandbox: SandboxPool) -> Iterator[Figure]:
    """Compares warm verdicts with the same calls, at several paces: a container that is cloned in
    advance, a processor that sleeps, and caches that cool are each fast at one pace alone.

    Calls and verdicts have the same pace, since a pause makes calls slower as well.
    """
    inside: dict[int, list[float]] = {pause: [] for pause in PAUSES_MS}
    sealed: dict[int, list[float]] = {pause: [] for pause in PAUSES_MS}
    for _ in range(TURNS):  # in turn, so that a slow minute of the machine affects all
        for pause in PAUSES_MS:
            inside[pause].append(in_process(framework, ROUNDS // 5, pause))
            sealed[pause] += verdict_times(problem, framework, sandbox, ROUNDS // 5, pause)
    for pause, times in sealed.items():
        plain, median = statistics.median(inside[pause]), statistics.median(times)
        where = f"{framework}, {pause} ms after the last, p50"
        yield Figure(f"the same calls, {where}", plain, "ms")
        yield Figure(f"warm verdict, {where}", median, "ms")
        name = f"warm verdict / the same calls, {where}"
        # with no pause, the next container is cloned while the verdict waits
        yield at_most(name, median / plain, "×", 4) if pause else Figure(name, median / plain, "×")


def in_process(framework: Framework, rounds: int, pause_ms: int = 0) -> float:
    """Returns the median milliseconds of a round in one ordinary interpreter."""
    arguments = [str(framework), str(rounds), str(pause_ms)]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.in_process", *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(json.loads(done.stdout)["median_ms"])


def cold(problem: Problem, sandbox: SandboxPool) -> Iterator[Figure]:
    """Measures `grade run`, cold and in a room that was kept warm, when the answers are cached."""
    grade, imports = [sys.executable, "-m", "grader.cli"], [sys.executable, "-c", "import torch"]
    walls: dict[str, list[float]] = {}
    times: dict[str, list[float]] = {}
    for _ in range(RUNS):  # in turn, so that a slow minute of the machine affects all alike
        for framework in Framework:
            file = str(default_bank() / "reference" / SLUG / f"{framework}.py")
            for option in ("--no-keep", "--keep"):
                run = [*grade, "run", SLUG, file, "--framework", str(framework), option]
                if option == "--keep" and f"{framework} {option}" not in walls:
                    whole_process(run)  # the first starts the room
                wall, processor = both_times(run)
                walls.setdefault(f"{framework} {option}", []).append(wall)
                times.setdefault(f"{framework} {option}", []).append(processor)
        walls.setdefault("import", []).append(whole_process(imports))
    whole_process([*grade, "keep", "--stop"])
    yield from _cold_figures({key: statistics.median(each) for key, each in walls.items()})
    for key, each in times.items():
        name = f"processor time of `grade run {key.split()[1]}`, {key.split()[0]}"
        yield Figure(name, statistics.median(each), "ms")


def _cold_figures(walls: Mapping[str, float]) -> Iterator[Figure]:
    yield at_most("cold `grade run`, numpy", walls["numpy --no-keep"], "ms", 250)
    yield Figure("cold `grade run`, torch", walls["torch --no-keep"], "ms")
    yield Figure("`grade run` in a room that is warm, numpy", walls["numpy --keep"], "ms")
    yield Figure("`grade run` in a room that is warm, torch", walls["torch --keep"], "ms")
    yield Figure('`python -c "import torch"`', walls["import"], "ms")
    for option, name, limit in (("--no-keep", "cold", 1.3), ("--keep", "warm", 0.5)):
        ratio = walls[f"torch {option}"] / walls["import"]
        yield at_most(f"{name} `grade run`, torch / import torch", ratio, "×", limit)


def throughput(problem: Problem, sandbox: SandboxPool) -> Iterator[Figure]:
    """Measures verdicts a second with two concurrent containers, and the processor time of each."""
    verdict_times(problem, Framework.TORCH, sandbox, 10)  # the room stands and is warm
    count, seconds, cpu = at_once(problem, Framework.TORCH, sandbox, SECONDS)
    yield at_least("throughput, 2 concurrent rooms, torch", count / seconds, "verdicts/s", 60)
    yield Figure("processor time of a verdict, torch", cpu / count, "ms")


def at_once(
    problem: Problem, framework: Framework, sandbox: SandboxPool, seconds: float
) -> tuple[int, float, float]:
    """Judges the reference in two threads for so long.

    Returns how many verdicts that were, the seconds, and the milliseconds of processor time.
    """
    submission = Submission(framework, problem.references[framework])
    counts = [0, 0]
    # the launcher's process and the zygote, which has the time of its children
    room = descendants(sandbox.room(framework).pid)[:2]
    processes = [os.getpid(), *room]
    before, began = sum(map(cpu_ms, processes)), time.monotonic()

    def work(i: int) -> None:
        while time.monotonic() < began + seconds:
            assert judge(problem, submission, sandbox).verdict is Outcome.ACCEPTED
            counts[i] += 1

    threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts), time.monotonic() - began, sum(map(cpu_ms, processes)) - before
