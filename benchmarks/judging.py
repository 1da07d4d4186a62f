"""Every figure of docs/performance.md, measured in one run with its baselines: `make bench`,
`python -m benchmarks.judging [--json FILE]`.

Ratios are what to compare between machines; absolute times hold for the machine of the run.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from grader.answers import answers_for
from grader.judge import judge
from grader.model import Framework, Outcome, Submission
from grader.problem import Problem, default_bank, load
from grader.sandbox import SandboxPool, open_sandbox
from grader.sandbox.job import Job
from grader.sandbox.launchers import DOCKER_IMAGE
from grader.storage import cache_folder, data_folder

SLUG = "scaled_dot_product_attention"
MISTAKE = "no_scale"
ROUNDS = 100
IN_A_ROW = 1000
SECONDS = 6.0


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure; `limit` is what the project promises ("" where it promises nothing)."""

    name: str
    value: float
    unit: str
    limit: str = ""
    holds: bool | None = None


def at_most(name: str, value: float, unit: str, limit: float) -> Figure:
    """A figure with an upper bound."""
    return Figure(name, value, unit, f"≤ {limit:g}", value <= limit)


def at_least(name: str, value: float, unit: str, limit: float) -> Figure:
    """A figure with a lower bound."""
    return Figure(name, value, unit, f"≥ {limit:g}", value >= limit)


def verdict_times(
    problem: Problem, framework: Framework, sandbox: SandboxPool, rounds: int, mistake: str = ""
) -> list[float]:
    """Milliseconds of each of `rounds` verdicts, one after another: of the reference, or of a known
    mistake.
    """
    sources = {m.name: m.sources[framework] for m in problem.mistakes if framework in m.sources} | {
        "": problem.references[framework]
    }
    submission, due = (
        Submission(framework, sources[mistake]),
        Outcome.WRONG_ANSWER if mistake else Outcome.ACCEPTED,
    )
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        verdict = judge(problem, submission, sandbox)
        times.append((time.perf_counter() - started) * 1e3)
        assert verdict.verdict is due, verdict.message
        time.sleep(0.01)  # a learner does not submit back to back; throughput is measured below
    return times


def warm(problem: Problem, sandbox: SandboxPool) -> Iterator[Figure]:
    """Warm verdicts against the same calls without a sandbox, and against cold processes."""
    for framework, limit, extra in ((Framework.NUMPY, 12.0, 9.0), (Framework.TORCH, 25.0, 20.0)):
        verdict_times(problem, framework, sandbox, 10)
        verdict_times(problem, framework, sandbox, 3, MISTAKE)
        inside, sealed, failing = [], [], []
        for _ in range(3):  # in turn, so that a slow minute of the machine hits all
            inside.append(in_process(framework, ROUNDS))
            sealed += verdict_times(problem, framework, sandbox, ROUNDS // 3)
            failing += verdict_times(problem, framework, sandbox, ROUNDS // 3, MISTAKE)
        median, plain = statistics.median(sealed), statistics.median(inside)
        cold = statistics.median(
            whole_process([sys.executable, "-m", "benchmarks.in_process", str(framework), "1"])
            for _ in range(3)
        )
        yield at_most(f"warm verdict, {framework}, p50", median, "ms", limit)
        yield Figure(
            f"warm verdict, {framework}, p95", statistics.quantiles(sealed, n=20)[-1], "ms"
        )
        yield Figure(
            f"failing verdict, told on public twins, {framework}, p50",
            statistics.median(failing),
            "ms",
        )
        yield at_most(
            f"failing verdict / accepted one, {framework}",
            statistics.median(failing) / median,
            "×",
            2,
        )
        yield Figure(f"the same calls in a warm interpreter, {framework}", plain, "ms")
        yield at_most(f"the sandbox adds, {framework}", median - plain, "ms", extra)
        yield Figure(f"the same in a cold subprocess, {framework}", cold, "ms")
        yield (
            at_least(f"cold subprocess / warm verdict, {framework}", cold / median, "×", 40)
            if framework is Framework.TORCH
            else Figure(f"cold subprocess / warm verdict, {framework}", cold / median, "×")
        )


def in_process(framework: Framework, rounds: int) -> float:
    """Median milliseconds of a round in one ordinary interpreter."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.in_process", str(framework), str(rounds)],
        capture_output=True,
        text=True,
        check=True,
    )
    return float(json.loads(done.stdout)["median_ms"])


def whole_process(argv: list[str]) -> float:
    """Milliseconds from start to end of a command."""
    started = time.perf_counter()
    subprocess.run(argv, capture_output=True, check=True)
    return (time.perf_counter() - started) * 1e3


def docker(problem: Problem, sandbox: SandboxPool) -> Iterator[Figure]:
    """A cold container for each submission, where an engine answers: any, and ours."""
    if (
        subprocess.run(["docker", "version"], capture_output=True).returncode != 0
        if _has("docker")
        else True
    ):
        yield Figure("cold docker run: not measured, no engine answers", float("nan"), "")
        return
    submission = Submission(Framework.TORCH, problem.references[Framework.TORCH])
    ours, plain = [], []
    for _ in range(3):
        started = time.perf_counter()
        with open_sandbox("docker") as cold:
            assert judge(problem, submission, cold).verdict is Outcome.ACCEPTED
        ours.append((time.perf_counter() - started) * 1e3)
        plain.append(
            whole_process(in_docker([sys.executable, "-m", "benchmarks.in_process", "torch", "1"]))
        )
    verdict_times(problem, Framework.TORCH, sandbox, 10)  # as before every figure of warm verdicts
    warm_ms = statistics.median(verdict_times(problem, Framework.TORCH, sandbox, ROUNDS // 3))
    yield Figure("the same in a cold docker run, torch", statistics.median(plain), "ms")
    yield at_least(
        "cold docker run / warm verdict, torch", statistics.median(plain) / warm_ms, "×", 100
    )
    yield Figure("cold room in docker, torch", statistics.median(ours), "ms")


def in_docker(argv: list[str]) -> list[str]:
    """The command in a container that reads what this process reads, and writes nothing."""
    here = str(Path(__file__).parents[1])
    system = [
        folder for folder in ("/usr", "/bin", "/lib", "/lib64", "/etc") if os.path.isdir(folder)
    ]
    reads = dict.fromkeys(
        [*system, sys.base_prefix, sys.prefix, here, str(data_folder()), str(cache_folder())]
    )
    volumes = [word for folder in reads for word in ("--volume", f"{folder}:{folder}:ro")]
    kept = [
        word
        for name in ("HOME", "PATH", "GRADE_HOME")
        if name in os.environ
        for word in ("--env", name)
    ]
    return [
        "docker",
        "run",
        "--rm",
        "--network",
        "none",
        "--workdir",
        here,
        *kept,
        *volumes,
        DOCKER_IMAGE,
        *argv,
    ]


def _has(program: str) -> bool:
    return any(
        os.access(os.path.join(folder, program), os.X_OK)
        for folder in os.environ["PATH"].split(os.pathsep)
    )


def cold(problem: Problem, sandbox: SandboxPool) -> Iterator[Figure]:
    """`grade run` from nothing, once the answers are cached."""
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
    """Verdicts a second with two concurrent rooms, and what each costs in processor time."""
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


def cpu_ms(pid: int) -> float:
    """Processor time of a process and of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) * 1e3 / os.sysconf("SC_CLK_TCK")


def pss_mib(pid: int) -> float:
    """Proportional set size of one process."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return float("nan")


def descendants(pid: int) -> list[int]:
    """Every process below one, as the host sees them."""
    found = []
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        found += [int(child), *descendants(int(child))]
    return found


def memory(problem: Problem, _: SandboxPool) -> Iterator[Figure]:
    """An idle zygote, and what each further child that has run a submission adds (its own share)."""
    for framework, limit in ((Framework.NUMPY, 60.0), (Framework.TORCH, 260.0)):
        with open_sandbox("bubblewrap") as sandbox:
            answers = answers_for(problem, framework, sandbox)
            cases = tuple(a.case for a in answers.cases)
            job = Job(
                problem.references[framework],
                framework,
                problem.kind,
                problem.entries,
                cases,
                problem.limits,
                problem.rules,
            )
            room = sandbox.room(framework)
            alone = sum(pss_mib(pid) for pid in descendants(room.pid))
            yield at_most(f"idle zygote, {framework}, PSS", alone, "MiB", limit)
            held = []
            for _ in range(4):
                child = room.take(problem.limits.memory_mib)
                assert child.load(job) is None
                for i, case in enumerate(cases):
                    child.ask(job, i, case)
                held.append(child)
            together = sum(pss_mib(pid) for pid in descendants(room.pid))
            for child in held:
                child.close()
            yield at_most(
                f"each further concurrent room, {framework}, PSS",
                (together - alone) / len(held),
                "MiB",
                40,
            )


def endurance(problem: Problem, sandbox: SandboxPool) -> Iterator[Figure]:
    """Many verdicts in a row: what grows?"""
    submission = Submission(Framework.NUMPY, problem.references[Framework.NUMPY])
    for _ in range(50):
        judge(problem, submission, sandbox)
    room = sandbox.room(Framework.NUMPY)
    time.sleep(1)
    before = _state(room.pid)
    for _ in range(IN_A_ROW):
        judge(problem, submission, sandbox)
    time.sleep(1)
    after = _state(room.pid)
    for name, unit in (("descriptors", ""), ("processes", ""), ("mounts", "")):
        yield at_most(
            f"{IN_A_ROW} verdicts in a row: more {name}", after[name] - before[name], unit, 0
        )
    yield at_most(
        f"{IN_A_ROW} verdicts in a row: memory grows by",
        100 * (after["memory"] / before["memory"] - 1),
        "%",
        5,
    )


def _state(room_pid: int) -> dict[str, float]:
    zygote = descendants(room_pid)
    return {
        "descriptors": len(os.listdir("/proc/self/fd"))
        + sum(len(os.listdir(f"/proc/{pid}/fd")) for pid in zygote[:2]),
        "processes": len(zygote),
        "mounts": len(Path("/proc/self/mounts").read_text().splitlines()),
        "memory": pss_mib(os.getpid()) + sum(pss_mib(pid) for pid in zygote),
    }


PARTS: dict[str, Callable[[Problem, SandboxPool], Iterator[Figure]]] = {
    "warm": warm,
    "cold": cold,
    "docker": docker,
    "throughput": throughput,
    "memory": memory,
    "endurance": endurance,
}


def main() -> int:
    """Run the parts named, or all; print a table; write JSON. Returns 1 when a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, default=Path("bench.json"))
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []])
    chosen = parser.parse_args()
    problem = load(default_bank(), SLUG)
    figures: list[Figure] = []
    with open_sandbox("bubblewrap") as sandbox:
        for framework in Framework:
            answers_for(problem, framework, sandbox)
        for part in chosen.parts or PARTS:
            for figure in PARTS[part](problem, sandbox):
                figures.append(figure)
                print(
                    f"{figure.name}: {figure.value:.4g} {figure.unit}", file=sys.stderr, flush=True
                )
    _print(figures)
    where = {
        "python": platform.python_version(),
        "system": platform.platform(),
        "cpus": os.cpu_count(),
    }
    chosen.json.write_text(
        json.dumps({"machine": where, "figures": [asdict(f) for f in figures]}, indent=1)
    )
    return 1 if any(f.holds is False for f in figures) else 0


def _print(figures: list[Figure]) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column, justify in (
        ("figure", "left"),
        ("measured", "right"),
        ("promised", "right"),
        ("", "left"),
    ):
        table.add_column(column, justify=justify)  # type: ignore[arg-type]
    for f in figures:
        mark = "" if f.holds is None else "✓" if f.holds else "✕"
        table.add_row(f.name, f"{f.value:.4g} {f.unit}", f.limit, mark)
    Console(width=110).print(table)


if __name__ == "__main__":
    sys.exit(main())
