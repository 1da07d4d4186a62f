"""`grade twin`: every public case of the bank as a script that runs, accepts the reference, and
refuses something else.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from grader.answers import public_answers
from grader.cli.main import grade
from grader.cli.render.twin import arrays, script
from grader.errors import UsageError
from grader.model import Framework
from grader.problem import Problem
from grader.sandbox import SandboxPool
from tests.conftest import ROOT
from tests.shipped import shipped, whole_bank

BANK = whole_bank()
DECLARED = [(problem, framework) for problem in BANK for framework in problem.frameworks]
# Imports the frameworks once. For each folder that it is told, a fork runs the scripts of it.
RUNNER = """
import importlib.util, os, pathlib, sys, threading
import numpy
if importlib.util.find_spec("torch"):
    import torch
    torch.set_num_threads(1)

def run(folder):
    os.chdir(folder)
    sys.path.insert(0, folder)
    with open("failures.txt", "w", encoding="utf-8") as failures:
        for path in sorted(pathlib.Path().glob("case_*.py")):
            try:
                code = compile(path.read_text(encoding="utf-8"), str(path), "exec")
                exec(code, {"__name__": "__main__"})
            except BaseException as error:
                words = str(error)[:300].replace(chr(10), " ")
                print("FAILED", path, type(error).__name__, words, file=failures)

for line in sys.stdin:
    assert threading.active_count() == 1
    pid = os.fork()
    if pid == 0:
        run(line.strip())
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


@pytest.fixture(scope="session")
def runner() -> Iterator[subprocess.Popen[str]]:
    """A warm interpreter: to start one for every problem takes longer than its scripts."""
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", RUNNER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def write(problem: Problem, framework: Framework, sandbox: SandboxPool, folder: Path) -> int:
    """A script for each case; large arrays in a file beside it. Returns how many there are."""
    answers = public_answers(problem, framework, sandbox)
    for i, answer in enumerate(answers):
        try:
            text = script(problem, framework, answer)
        except UsageError:
            saved = folder / f"case_{i}.npz"
            np.savez(saved, **arrays(answer))  # type: ignore[arg-type]
            text = script(problem, framework, answer, saved)
        (folder / f"case_{i:03}.py").write_text(text, encoding="utf-8")
    return len(answers)


def failures(folder: Path, solution: str, runner: subprocess.Popen[str]) -> list[str]:
    """The scripts that fail beside a solution, and why."""
    (folder / "solution.py").write_text(solution, encoding="utf-8")
    assert runner.stdin is not None and runner.stdout is not None
    print(folder, file=runner.stdin, flush=True)
    said = []
    while (line := runner.stdout.readline()) and not line.strip().lstrip("-").isdigit():
        said.append(line)
    assert line == "0\n", "".join(said)
    return (folder / "failures.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    ("problem", "framework"), DECLARED, ids=[f"{p.slug}-{f}" for p, f in DECLARED]
)
def test_every_script_accepts_the_reference(
    problem: Problem,
    framework: Framework,
    sandbox: SandboxPool,
    tmp_path: Path,
    runner: subprocess.Popen[str],
) -> None:
    assert write(problem, framework, sandbox, tmp_path) >= 8
    assert failures(tmp_path, problem.references[framework], runner) == []


def test_scripts_refuse_a_mistake(
    sandbox: SandboxPool, tmp_path: Path, runner: subprocess.Popen[str]
) -> None:
    problem = shipped("scaled_dot_product_attention")
    mistake = next(m for m in problem.mistakes if m.name == "no_scale")
    count = write(problem, Framework.NUMPY, sandbox, tmp_path)
    assert count / 2 < len(failures(tmp_path, mistake.sources[Framework.NUMPY], runner)) <= count


def test_scripts_give_views_where_the_judge_does(
    sandbox: SandboxPool, tmp_path: Path, runner: subprocess.Popen[str]
) -> None:
    slug = "grouped_query_attention"
    name = "wrong_batch_and_heads_by_view_torch.py"
    solution = (ROOT / "tests" / "bank" / "solutions" / slug / name).read_text(encoding="utf-8")
    write(shipped(slug), Framework.TORCH, sandbox, tmp_path)
    found = failures(tmp_path, solution, runner)
    assert found and all("view size is not compatible" in each for each in found)


def test_a_function_is_not_made(sandbox: SandboxPool) -> None:
    """A driver gets `make` where there is a class or a module to be made."""
    for slug, made in (("beam_search", False), ("kv_cache_window", True)):
        problem = shipped(slug)
        answer = public_answers(problem, Framework.NUMPY, sandbox)[0]
        text = script(problem, Framework.NUMPY, answer)
        assert ("def make():" in text) is made and ("make=make" in text) is made


def test_a_case_may_be_called_as_a_chinese_report_calls_it() -> None:
    problem = shipped("kv_cache_window")
    name = "chunks longer than the ring"
    told = problem.words["zh"].names[name]
    ours, theirs = (
        CliRunner().invoke(grade, ["twin", "kv_cache_window", case], catch_exceptions=False)
        for case in (name, told)
    )
    assert told != name and ours.output == theirs.output and f"'{name}'" in ours.output
