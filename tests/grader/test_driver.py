"""A driver calls a solution several times in one case: what it sees, what a learner is told, and
what solutions without the class come to.
"""

import io
from pathlib import Path

import pytest
from rich.console import Console

from grader.cli.render.statement import render
from grader.errors import ProblemError
from grader.findings.codes import Code
from grader.judge import judge
from grader.model import Framework, Outcome, Submission, Verdict
from grader.problem import Problem, load
from grader.sandbox import SandboxPool
from grader.verify import verify
from tests.grader import small

TOML = """
title = "Running sums"
track = "foundations"
difficulty = "easy"
frameworks = ["numpy"]
kind = "class"
source = "Nobody 2020"

[entry.RunningSum]
init = ["width", "keep=0"]

[driver]
params = ["x", "reset_at=0"]
returns = ["sums"]

[shapes]
x = "n width"
sums = "n width"
"""
DRIVER = """
import numpy as np


def run(solution, x, reset_at=0):
    total = solution.make()
    sums = []
    for i, row in enumerate(x):
        if reset_at and i == reset_at:
            total.reset()
        sums.append(total.step(row))
    return np.stack(sums)
"""
REFERENCE = """
import numpy as np


class RunningSum:
    def __init__(self, width, keep=0):
        self.width = width
        self.reset()

    def reset(self):
        self.total = np.zeros(self.width)

    def step(self, row):
        self.total = self.total + row
        return self.total.astype(row.dtype)
"""
CASES = """
import numpy as np

from grader.case import Case


def draw(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def cases(rng):
    yield Case("three rows", inputs={"x": draw(rng, 3, 2)}, init={"width": 2}, sample=True, note="Small.")
    yield Case("nine rows", inputs={"x": draw(rng, 9, 4)}, init={"width": 4}, note="Any number of calls.")
    yield Case("a reset", inputs={"x": draw(rng, 7, 5)}, options={"reset_at": 3}, init={"width": 5}, note="Begins again.")
"""
MISTAKES = """
[[mistake]]
name = "last_only"
hint = "What was there before is lost."
numpy = { find = "self.total + row", replace = "row" }

[[mistake]]
name = "no_reset"
hint = "What does reset leave behind?"
numpy = { find = "        self.reset()\\n\\n    def reset(self):\\n        self.total = np.zeros(self.width)", replace = "        self.total = np.zeros(self.width)\\n\\n    def reset(self):\\n        pass" }
"""
STARTER = """
class RunningSum:
    def __init__(self, width, keep=0):
        raise NotImplementedError
"""
STATEMENT = "# Running sums\n\nAdd up.\n\n[[sample: three rows]]\n"
FILES = {
    "toml": TOML,
    "cases": CASES,
    "mistakes": MISTAKES,
    "numpy": REFERENCE,
    "starter_numpy": STARTER,
    "statement": STATEMENT,
    "driver_numpy": DRIVER,
}
LOOP = """
import numpy as np


def run(solution, x, reset_at=0):
    parts = np.split(x, [reset_at])
    return np.concatenate([part.cumsum(0) for part in parts])
"""


def driven(bank: Path, **files: str) -> Problem:
    """The problem with some files replaced."""
    return small.problem(bank, **{**FILES, **files})


def judged(problem: Problem, source: str, sandbox: SandboxPool, rules: bool = True) -> Verdict:
    """The verdict of a solution in NumPy."""
    return judge(problem, Submission(Framework.NUMPY, source), sandbox, rules=rules)


def test_a_class_with_a_driver_is_fit(sandbox: SandboxPool, tmp_path: Path) -> None:
    fitness = verify(driven(tmp_path), sandbox)
    assert [f"{f.where}: {f.text}" for f in fitness.findings] == []
    assert [a.case.name for a in fitness.matrices[0].cases] == [
        "three rows",
        "nine rows",
        "a reset",
    ]


def test_right_solutions_of_other_styles_are_accepted(sandbox: SandboxPool, tmp_path: Path) -> None:
    listed = """
class RunningSum:
    def __init__(self, size, keep=0):
        self.rows = []

    def reset(self):
        self.rows.clear()

    def step(self, row):
        self.rows.append(row)
        return sum(self.rows[1:], self.rows[0])
"""
    assert judged(driven(tmp_path), listed, sandbox).verdict is Outcome.ACCEPTED


@pytest.mark.parametrize(
    ("source", "verdict", "message"),
    [
        (LOOP, Outcome.COMPILE_ERROR, "RunningSum"),
        (LOOP + "\nRunningSum = run\n", Outcome.COMPILE_ERROR, "RunningSum"),
        (LOOP + "\nclass RunningSum:\n    pass\n", Outcome.RUNTIME_ERROR, "argument"),
        (
            LOOP + "\nclass RunningSum:\n    def __new__(cls, *_):\n        return run\n",
            Outcome.WRONG_ANSWER,
            "RunningSum",
        ),
        (
            LOOP
            + "\nclass RunningSum:\n    def __init__(self, width):\n        pass\n"
            + "    step = run\n",
            Outcome.WRONG_ANSWER,
            "differ",
        ),
        (
            LOOP
            + "\nimport sys\n\n\nclass RunningSum:\n    def __init__(self, width):\n"
            + "        f = sys._getframe()\n        while f:\n"
            + "            if f.f_globals.get('__name__') == 'driver':\n"
            + "                f.f_globals['run'] = run\n            f = f.f_back\n",
            Outcome.RUNTIME_ERROR,
            "step",
        ),
        (
            LOOP
            + "\nimport sys\n"
            + "for name in list(sys.modules):\n    if 'driver' in name:\n"
            + "        setattr(sys.modules[name], 'run', run)\n",
            Outcome.COMPILE_ERROR,
            "RunningSum",
        ),
    ],
    ids=[
        "no class",
        "a function in its place",
        "a class without methods",
        "a class that makes a function",
        "the loop as a method",
        "writes into the driver's globals",
        "writes into modules named so",
    ],
)
def test_a_solution_without_the_class_fails(
    source: str, verdict: Outcome, message: str, sandbox: SandboxPool, tmp_path: Path
) -> None:
    found = judged(driven(tmp_path), source, sandbox, rules=False)
    assert found.verdict is verdict, found.message
    assert found.score == 0
    assert message in found.message


def test_what_a_solution_leaves_in_the_driver_is_gone_in_the_next_case(
    sandbox: SandboxPool, tmp_path: Path
) -> None:
    """It hands in a class at first, and a `run` of its own for later cases."""
    source = (
        REFERENCE.replace("class RunningSum:", "class RunningSum:\n    made = 0\n")
        .replace(
            "        self.width = width\n",
            "        self.width = width\n        RunningSum.made += 1\n        put()\n",
        )
        .replace(
            "        self.total = self.total + row\n",
            "        self.total = self.total + row + (self.made > 1)\n",
        )
        + LOOP
        + "\n\ndef put():\n    import sys\n    f = sys._getframe()\n    while f:\n"
        "        if f.f_globals.get('__name__') == 'driver':\n"
        "            f.f_globals['run'] = run\n        f = f.f_back\n"
    )
    found = judged(driven(tmp_path), source, sandbox, rules=False)
    assert [str(case.verdict) for case in found.cases] == [
        "accepted",
        "wrong_answer",
        "wrong_answer",
    ]


def test_a_solution_may_not_look_for_the_driver(sandbox: SandboxPool, tmp_path: Path) -> None:
    source = REFERENCE + "\n\ndef rows():\n    import sys\n    return sys._getframe(1).f_locals\n"
    found = judged(driven(tmp_path), source, sandbox)
    assert found.verdict is Outcome.RULE_VIOLATION
    assert "f_locals leads to the code that calls yours" in found.message


def test_an_exception_in_the_driver_names_its_line(sandbox: SandboxPool, tmp_path: Path) -> None:
    """The learner's code has no line to show: it returned what the driver cannot take."""
    source = REFERENCE.replace("        return self.total.astype(row.dtype)\n", "")
    driver = DRIVER.replace("sums.append(total.step(row))", "sums.append(total.step(row) + 0)")
    found = judged(driven(tmp_path, driver_numpy=driver), source, sandbox)
    (finding,) = found.cases[0].findings
    assert (finding.code, finding.line) == (Code.RAISED_IN_DRIVER, None)
    assert finding.parameters["at"] == "sums.append(total.step(row) + 0)"
    assert finding.parameters["type"] == "TypeError"
    assert {case.verdict for case in found.cases} == {Outcome.RUNTIME_ERROR}


def test_a_driver_sees_declared_names_only(sandbox: SandboxPool, tmp_path: Path) -> None:
    nosy = DRIVER.replace("    sums = []\n", "    sums = []\n    solution.helper()\n")
    with pytest.raises(ProblemError, match=r"declares no entry 'helper'.*driver line 8"):
        judged(driven(tmp_path, driver_numpy=nosy), REFERENCE, sandbox)


def test_a_driver_without_run_is_named(sandbox: SandboxPool, tmp_path: Path) -> None:
    other = DRIVER.replace("def run(", "def drive(")
    with pytest.raises(ProblemError, match=r"the driver defines no function run\(solution"):
        judged(driven(tmp_path, driver_numpy=other), REFERENCE, sandbox)


def test_the_driver_of_a_function_makes_no_objects(tmp_path: Path) -> None:
    toml = TOML.replace('"class"', '"function"').replace('init = ["width", "keep=0"]', "")
    toml = toml.replace('"n width"', '"n E"')
    texts = []
    for source in (TOML, toml):
        console = Console(width=120, file=io.StringIO(), record=True)
        console.print(render(driven(tmp_path, toml=source, statement="# Sums\n"), "en", list))
        texts.append(console.export_text())
    of_a_class, of_a_function = texts
    assert "and make() makes an object of your class" in of_a_class
    assert "solution holds what you define." in of_a_function
    assert "makes an object" not in of_a_function


def test_the_page_of_a_terminal_shows_the_driver(tmp_path: Path) -> None:
    problem = driven(tmp_path, statement="# Running sums\n\nAdd up.\n")
    console = Console(width=100, file=io.StringIO(), record=True)
    console.print(render(problem, "en", list))
    text = console.export_text()
    assert "How your solution is called" in text
    assert "total = solution.make()" in text


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        (
            {"toml": small.TOML, "cases": small.CASES, "mistakes": ""},
            "driver_numpy.py: nothing says what it takes and returns; add a table",
        ),
        ({"toml": TOML.replace('returns = ["sums"]', "returns = []")}, "name what run"),
        ({"toml": TOML.replace("[entry.RunningSum]", "[entry.make]")}, "cannot be called 'make'"),
        ({"toml": TOML.replace("[driver]", "[driver]\nmode = 1")}, "unknown key 'mode'"),
    ],
    ids=["file without a table", "no result", "reserved", "unknown key"],
)
def test_a_driver_is_declared(files: dict[str, str], complaint: str, tmp_path: Path) -> None:
    with pytest.raises(ProblemError) as raised:
        driven(tmp_path, **files)
    assert complaint in str(raised.value)


def test_a_class_needs_a_driver(tmp_path: Path) -> None:
    files = {name: text for name, text in FILES.items() if name != "driver_numpy"}
    files["toml"] = TOML.replace("[driver]", "[drivers]")
    with pytest.raises(ProblemError, match=r"needs a driver.*add a table"):
        small.problem(tmp_path, **files)


def test_every_framework_needs_its_driver(tmp_path: Path) -> None:
    small.write(tmp_path, **{**FILES, "toml": TOML.replace('["numpy"]', '["numpy", "torch"]')})
    (tmp_path / "reference" / "scores" / "torch.py").write_text(REFERENCE)
    with pytest.raises(ProblemError, match=r"driver_torch\.py: this file is missing"):
        load(tmp_path, "scores")


@pytest.mark.parametrize(
    ("init", "complaint"),
    [
        ("{}", "case 'nine rows' does not give 'width' in init, which the constructor takes"),
        (
            '{"width": 4, "kept": 1}',
            "case 'nine rows' gives 'kept' in init, which the constructor does not take (did you"
            " mean 'keep'?)",
        ),
    ],
)
def test_a_case_gives_what_the_constructor_takes(
    sandbox: SandboxPool, tmp_path: Path, init: str, complaint: str
) -> None:
    cases = FILES["cases"].replace('init={"width": 4}', f"init={init}")
    fitness = verify(small.problem(tmp_path, **{**FILES, "cases": cases}), sandbox)
    (found,) = [f for f in fitness.findings if f.rule == 1]
    assert str(found.text).endswith(f"cases.py: {complaint}")
