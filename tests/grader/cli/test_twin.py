"""`grade twin`: every public case of the bank as a script that runs, accepts the reference, and
refuses something else.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from grader.answers import public_answers
from grader.cli.twin import arrays, script
from grader.errors import UsageError
from grader.model import Framework
from grader.problem import Problem, load, load_bank
from grader.sandbox import SandboxPool

ROOT = Path(__file__).resolve().parents[3]
BANK = load_bank(ROOT)
DECLARED = [(problem, framework) for problem in BANK for framework in problem.frameworks]
RUN_ALL = """
import pathlib, sys, traceback
for path in sorted(pathlib.Path().glob("case_*.py")):
    try:
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), {"__name__": "__main__"})
    except BaseException as error:
        print("FAILED", path, type(error).__name__, str(error)[:300].replace(chr(10), " "))
"""


def write(problem: Problem, framework: Framework, sandbox: SandboxPool, folder: Path) -> int:
    """A script for each case; large arrays in a file beside it. Returns how many there are."""
    answers = public_answers(problem, framework, sandbox)
    for i, answer in enumerate(answers):
        try:
            text = script(problem, framework, answer)
        except UsageError:
            saved = folder / f"case_{i}.npz"
            np.savez_compressed(saved, **arrays(answer))  # type: ignore[arg-type]
            text = script(problem, framework, answer, saved)
        (folder / f"case_{i:03}.py").write_text(text, encoding="utf-8")
    return len(answers)


def failures(folder: Path, solution: str) -> list[str]:
    """The scripts that fail beside a solution, and why."""
    (folder / "solution.py").write_text(solution, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", RUN_ALL], cwd=folder, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return [line for line in done.stdout.splitlines() if line.startswith("FAILED")]


@pytest.mark.parametrize(
    ("problem", "framework"), DECLARED, ids=[f"{p.slug}-{f}" for p, f in DECLARED]
)
def test_every_script_accepts_the_reference(
    problem: Problem, framework: Framework, sandbox: SandboxPool, tmp_path: Path
) -> None:
    assert write(problem, framework, sandbox, tmp_path) >= 8
    assert failures(tmp_path, problem.references[framework]) == []


def test_scripts_refuse_a_mistake(sandbox: SandboxPool, tmp_path: Path) -> None:
    problem = load(ROOT, "scaled_dot_product_attention")
    mistake = next(m for m in problem.mistakes if m.name == "no_scale")
    count = write(problem, Framework.NUMPY, sandbox, tmp_path)
    assert count / 2 < len(failures(tmp_path, mistake.sources[Framework.NUMPY])) <= count
