"""Measures what a room costs: its memory, what many verdicts leave behind, and a cold one."""

import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure, at_least, at_most
from benchmarks.processes import descendants, pss_mib, whole_process
from benchmarks.verdicts import ROUNDS, verdict_times
from grader.answers import answers_for
from grader.case import Case
from grader.judge import judge
from grader.model import Framework, Outcome, Submission
from grader.problem import Problem
from grader.sandbox import SandboxPool, open_sandbox
from grader.sandbox.job import Job
from grader.sandbox.launchers import DOCKER_IMAGE
from grader.storage import cache_folder, data_folder

IN_A_ROW = 1000


def docker(problem: Problem, sandbox: SandboxPool) -> Iterator[Figure]:
    """Compares a cold container for each submission with a warm room, where an engine answers."""
    if not _engine_answers():
        yield Figure("cold docker run: not measured, no engine answers", float("nan"), "")
        return
    submission = Submission(Framework.TORCH, problem.references[Framework.TORCH])
    room_ms, container_ms = [], []
    for _ in range(3):
        started = time.perf_counter()
        with open_sandbox("docker") as cold:
            assert judge(problem, submission, cold).verdict is Outcome.ACCEPTED
        room_ms.append((time.perf_counter() - started) * 1e3)
        container_ms.append(
            whole_process(in_docker([sys.executable, "-m", "benchmarks.in_process", "torch", "1"]))
        )
    verdict_times(problem, Framework.TORCH, sandbox, 10)  # as before every figure of warm verdicts
    warm_ms = statistics.median(verdict_times(problem, Framework.TORCH, sandbox, ROUNDS // 3))
    yield Figure("the same in a cold docker run, torch", statistics.median(container_ms), "ms")
    yield at_least(
        "cold docker run / warm verdict, torch", statistics.median(container_ms) / warm_ms, "×", 100
    )
    yield Figure("cold room in docker, torch", statistics.median(room_ms), "ms")


def _engine_answers() -> bool:
    if shutil.which("docker") is None:
        return False
    return subprocess.run(["docker", "version"], capture_output=True).returncode == 0


def in_docker(argv: list[str]) -> list[str]:
    """Returns the command that runs `argv` in a container with this process's files, read-only."""
    here = str(Path(__file__).parents[1])
    system = [
        folder for folder in ("/usr", "/bin", "/lib", "/lib64", "/etc") if os.path.isdir(folder)
    ]
    reads = dict.fromkeys(
        [*system, sys.base_prefix, sys.prefix, here, str(data_folder()), str(cache_folder())]
    )
    volumes = [word for folder in reads for word in ("--volume", f"{folder}:{folder}:ro")]
    variables = [
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
        *variables,
        *volumes,
        DOCKER_IMAGE,
        *argv,
    ]


def reference_job(problem: Problem, framework: Framework, cases: tuple[Case, ...]) -> Job:
    """Returns the job that runs the reference on all cases."""
    return Job(
        source=problem.references[framework],
        framework=framework,
        kind=problem.kind,
        entries=problem.entries,
        cases=cases,
        limits=problem.limits,
        rules=problem.rules,
    )


def memory(problem: Problem, _sandbox: SandboxPool) -> Iterator[Figure]:
    """Measures an idle zygote, and what each container that has run a submission adds to it."""
    for framework, limit in ((Framework.NUMPY, 60.0), (Framework.TORCH, 260.0)):
        with open_sandbox("bubblewrap") as sandbox:
            answers = answers_for(problem, framework, sandbox)
            cases = tuple(a.case for a in answers.cases)
            job = reference_job(problem, framework, cases)
            room = sandbox.room(framework)
            alone = sum(pss_mib(pid) for pid in descendants(room.pid))
            yield at_most(f"idle zygote, {framework}, PSS", alone, "MiB", limit)
            containers = []
            for _ in range(4):
                container = room.take(problem.limits.memory_mib)
                assert container.load(job) is None
                for i, case in enumerate(cases):
                    container.ask(job, i, case)
                containers.append(container)
            together = sum(pss_mib(pid) for pid in descendants(room.pid))
            for container in containers:
                container.close()
            yield at_most(
                f"each further concurrent room, {framework}, PSS",
                (together - alone) / len(containers),
                "MiB",
                40,
            )


def endurance(problem: Problem, sandbox: SandboxPool) -> Iterator[Figure]:
    """Measures what grows over many verdicts in a row."""
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
