"""Measures how long a verdict takes, warm and cold, beside the same calls without a sandbox."""

import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

from benchmarks.figures import Figure, at_least, at_most
from benchmarks.processes import cpu_ms, descendants, whole_process
from grader.judge import judge
from grader.model import Framework, Outcome, Submission
from grader.problem import Problem, default_bank
from grader.sandbox import SandboxPool

SLUG = "scaled_dot_product_attention"
ROUNDS = 100
SECONDS = 6.0


def verdict_times(
    problem: Problem, framework: Framework, sandbox: SandboxPool, rounds: int
) -> list[float]:
    """Judges the reference, and returns the milliseconds of each verdict."""
    source = problem.references[framework]
    return [_verdict_ms(problem, framework, source, sandbox, True) for _ in range(rounds)]


def failing_times(problem: Problem, framework: Framework, sandbox: SandboxPool) -> dict[str, float]:
    """Judges each known mistake once, and returns the milliseconds of each verdict."""
    return {
        mistake.name: _verdict_ms(problem, framework, mistake.sources[framework], sandbox, False)
        for mistake in problem.mistakes
        if framework in mistake.sources
    }


def _verdict_ms(
    problem: Problem, framework: Framework, source: str, sandbox: SandboxPool, right: bool
) -> float:
    started = time.perf_counter()
    verdict = judge(problem, Submission(framework, source), sandbox)
    taken = (time.perf_counter() - started) * 1e3
    assert (verdict.verdict is Outcome.ACCEPTED) is right, verdict.message
    time.sleep(0.01)  # a learner does not submit back to back; throughput is measured below
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
        yield at_most(f"the sandbox adds, {framework}", median - plain, "ms", extra)
        yield Figure(f"the same in a cold subprocess, {framework}", cold, "ms")
        yield (
            at_least(f"cold subprocess / warm verdict, {framework}", cold / median, "×", 40)
            if framework is Framework.TORCH
            else Figure(f"cold subprocess / warm verdict, {framework}", cold / median, "×")
        )


def in_process(framework: Framework, rounds: int) -> float:
    """Returns the median milliseconds of a round in one ordinary interpreter."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.in_process", str(framework), str(rounds)],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(json.loads(done.stdout)["median_ms"])


def cold(problem: Problem, sandbox: SandboxPool) -> Iterator[Figure]:
    """Measures `grade run` without a warm process, when the answers are cached."""
    grade = [sys.executable, "-m", "grader.cli", "run", SLUG]
    folder = default_bank() / "reference" / SLUG
    numpy_ms, torch_ms, imports = [], [], []
    for _ in range(5):
        numpy_ms.append(whole_process([*grade, str(folder / "numpy.py"), "--framework", "numpy"]))
        imports.append(whole_process([sys.executable, "-c", "import torch"]))
        torch_ms.append(whole_process([*grade, str(folder / "torch.py"), "--framework", "torch"]))
    yield at_most("cold `grade run`, numpy", statistics.median(numpy_ms), "ms", 600)
    yield Figure("cold `grade run`, torch", statistics.median(torch_ms), "ms")
    yield Figure('`python -c "import torch"`', statistics.median(imports), "ms")
    ratios = [t / i for t, i in zip(torch_ms, imports, strict=True)]
    yield at_most("cold `grade run`, torch / import torch", statistics.median(ratios), "×", 1.3)


def throughput(problem: Problem, sandbox: SandboxPool) -> Iterator[Figure]:
    """Measures verdicts a second with two concurrent containers, and the processor time of each."""
    submission = Submission(Framework.TORCH, problem.references[Framework.TORCH])
    counts = [0, 0]
    verdict_times(problem, Framework.TORCH, sandbox, 10)  # the room stands and is warm
    # the launcher's process and the zygote, which has the time of its children
    room = descendants(sandbox.room(Framework.TORCH).pid)[:2]
    processes = [os.getpid(), *room]
    before = sum(map(cpu_ms, processes))
    end = time.monotonic() + SECONDS

    def work(i: int) -> None:
        while time.monotonic() < end:
            assert judge(problem, submission, sandbox).verdict is Outcome.ACCEPTED
            counts[i] += 1

    threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    yield at_least("throughput, 2 concurrent rooms, torch", sum(counts) / SECONDS, "verdicts/s", 60)
    yield Figure(
        "processor time of a verdict, torch",
        (sum(map(cpu_ms, processes)) - before) / sum(counts),
        "ms",
    )
