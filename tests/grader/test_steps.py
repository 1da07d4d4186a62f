"""The steps of a hint, and where a known mistake stands in a learner's own source."""

from dataclasses import replace
from pathlib import Path

import pytest

from grader import problem as bank
from grader.case import Case
from grader.diagnosis.correction import Correction, correction
from grader.diagnosis.steps import Step, hint_steps
from grader.findings.codes import Code
from grader.findings.finding import Finding, finding
from grader.model import CaseResult, Diagnosis, Framework, Outcome
from grader.problem import Problem, Words
from grader.verdict.translate import translator
from tests.shipped import shipped

ROOT = Path(__file__).parents[2]
RIGHT = """import numpy as np


def attention(q, k, v, scale=None):
    d = q.shape[-1]
    scores = q @ k.T / np.sqrt(d)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
"""
FOUND = {
    "names differ": (
        ("axis=-1, keepdims=True)\n    return", "axis=0, keepdims=True)\n    return"),
        "def f(q):\n    w = w / w.sum(axis=0, keepdims=True)\n",
        Correction(
            2,
            "    w = w / w.sum(axis=0, keepdims=True)",
            "    w = w / w.sum(axis=-1, keepdims=True)",
        ),
    ),
    "spaces differ": (
        ("axis=-1, keepdims=True)\n    return", "axis=0, keepdims=True)\n    return"),
        "def f(q):\n    w = w/w.sum( axis = 0,keepdims = True )  # rows\n",
        Correction(
            2,
            "    w = w/w.sum( axis = 0,keepdims = True )  # rows",
            "    w = w/w.sum( axis = -1,keepdims = True )  # rows",
        ),
    ),
    "something was left out at the end": (
        (" / np.sqrt(d)", ""),
        "def f(q, k, v):\n    d = 3\n    s = q @ k.T\n",
        Correction(3, "    s = q @ k.T", "    s = q @ k.T / np.sqrt(d)"),
    ),
    "something is too much": (
        ("@ v, weights", "@ v * 2, weights"),
        "def f(q, k, v):\n    return a @ v * 2, a\n",
        Correction(2, "    return a @ v * 2, a", "    return a @ v, a"),
    ),
}
LEFT_OUT = {
    "in two places": (("d = q.shape[-1]", "d = q.shape[0]"), "a = x.shape[0]\nb = y.shape[0]\n"),
    "nowhere": (("d = q.shape[-1]", "d = q.shape[0]"), "a = x.size\n"),
    "a name that the source does not have": (
        (" / np.sqrt(d)", ""),
        "def f(q, k, v):\n    s = q @ k.T\n",
    ),
    "several lines": (
        ("    d = q.shape[-1]\n    scores = q @ k.T / np.sqrt(d)", "    scores = q @ k.T"),
        "s = q @ k.T\n",
    ),
    "no Python": (("d = q.shape[-1]", "d = q.shape[0]"), "a = x.shape[0]\n'''"),
    "far too long": (("d = q.shape[-1]", "d = q.shape[0]"), "a = x.shape[0]\n" + "\n" * 2000),
    "a line far too long": (("-1]", "0]"), "a = x.shape[0]" + " " * 2000 + "\n"),
    "a bracket that never closes": (("-1]", "0]"), "a = x.shape[0]\nb = (" * 400),
    "empty": (("-1]", "0]"), ""),
}


def wrong(edit: tuple[str, str]) -> str:
    assert RIGHT.count(edit[0]) == 1
    return RIGHT.replace(*edit)


@pytest.mark.parametrize(("edit", "source", "expected"), FOUND.values(), ids=FOUND.keys())
def test_a_line_is_corrected(edit: tuple[str, str], source: str, expected: Correction) -> None:
    assert correction(RIGHT, wrong(edit), source) == expected


@pytest.mark.parametrize(("edit", "source"), LEFT_OUT.values(), ids=LEFT_OUT.keys())
def test_a_line_is_left_out_where_it_is_not_certain(edit: tuple[str, str], source: str) -> None:
    assert correction(RIGHT, wrong(edit), source) is None


def code(source: str) -> list[str]:
    """The lines without comments and spaces."""
    return ["".join(line.split("#")[0].split()) for line in source.splitlines()]


@pytest.mark.slow
def test_mistakes_of_the_bank_are_corrected_to_the_reference_or_not_at_all() -> None:
    corrected = 0
    for problem in (shipped(slug) for slug in bank.slugs(ROOT)):
        for mistake in problem.mistakes:
            for framework, source in mistake.sources.items():
                fix = correction(problem.references[framework], source, source)
                if fix is not None:
                    corrected += 1
                    lines = source.splitlines()
                    lines[fix.line - 1] = fix.after
                    right = code(problem.references[framework])
                    assert code("\n".join(lines)) == right, (problem.slug, mistake.name)
    assert corrected > 700


@pytest.fixture
def problem() -> Problem:
    """A problem of the bank."""
    return shipped("causal_mask")


def case(name: str, *findings: Finding) -> CaseResult:
    return CaseResult(
        name, Outcome.WRONG_ANSWER, False, 0, 1, 1.0, 1.0, 1.0, "", findings=findings, case=Case(name)
    )  # fmt: skip


HIDDEN = Diagnosis("diagonal_hidden", "A position cannot see itself.", ("four words", "one by one"))
LOOPS = "def causal_mask(n, m=None):\n    return np.tri(n, k=-1) > 0\n"
LINE = "def causal_mask(query_len, key_len=None):\n    return col < row + key_len - query_len\n"


def test_the_steps_from_a_question_to_the_line(problem: Problem) -> None:
    steps = hint_steps(problem, Framework.NUMPY, LINE, HIDDEN)
    assert [step.step for step in steps] == [*Step]
    assert steps[1].text == "Look at line 2."
    assert steps[1].code == "return col < row + key_len - query_len"
    assert steps[2].text == HIDDEN.hint
    assert (steps[3].line, steps[3].code) == (2, "return col <= row + key_len - query_len")


def test_where_the_line_is_not_known_the_cases_are_named(problem: Problem) -> None:
    steps = hint_steps(problem, Framework.NUMPY, LOOPS, HIDDEN)
    assert [step.step for step in steps] == [Step.QUESTION, Step.PLACE, Step.IDEA]
    assert steps[1].text == "Look at what these cases have in common: four words, one by one."


def test_a_trace_says_where_if_nothing_else_does(problem: Problem) -> None:
    told = (2, "line 2: the opposite of the mask")
    steps = hint_steps(problem, Framework.NUMPY, LOOPS, HIDDEN, traced=told)
    assert (steps[1].line, steps[1].text) == told
    assert steps[1].code == "return np.tri(n, k=-1) > 0"
    known = hint_steps(problem, Framework.NUMPY, LINE, HIDDEN, traced=(1, "another line"))
    assert known[1].text == "Look at line 2."
    beyond = hint_steps(problem, Framework.NUMPY, LOOPS, HIDDEN, traced=(99, "no line"))
    assert beyond[1].line is None


def test_an_exception_says_where(problem: Problem) -> None:
    raised = finding(Code.RAISED, 2, type="ValueError", text="no")
    steps = hint_steps(problem, Framework.NUMPY, LOOPS, HIDDEN, [case("one by one", raised)])
    assert (steps[1].text, steps[1].code) == ("Look at line 2.", "return np.tri(n, k=-1) > 0")
    other = [case("another", raised), case("one by one", replace(raised, line=99))]
    assert hint_steps(problem, Framework.NUMPY, LOOPS, HIDDEN, other)[1].line is None


def test_the_question_fits_the_rule_the_finding_or_the_mistake(problem: Problem) -> None:
    def asked(of: Problem, diagnosis: Diagnosis, *cases: CaseResult) -> str:
        return hint_steps(of, Framework.NUMPY, LOOPS, diagnosis, cases)[0].text

    assert asked(problem, HIDDEN).startswith("Work out the first wrong number by hand.")
    shape = finding(Code.WRONG_SHAPE, tensor="mask", shape=(2,), expected=(2, 2), axes=())
    assert asked(problem, HIDDEN, case("one by one", shape)).startswith("Which axes must")
    ruled = replace(HIDDEN, rule="Any length")
    assert asked(problem, ruled) == "What does your code do where the statement says “Any length”?"
    own = tuple(replace(mistake, question="Can it?") for mistake in problem.mistakes)
    assert asked(replace(problem, mistakes=own), ruled) == "Can it?"


def test_every_step_can_be_read_in_chinese(problem: Problem) -> None:
    words = translator(problem, "zh")
    ruled = replace(HIDDEN, rule="Any length")
    chinese = hint_steps(problem, Framework.NUMPY, LINE, ruled, translator=words)
    english = hint_steps(problem, Framework.NUMPY, LINE, ruled)
    assert len(chinese) == 4
    assert all(one.text != other.text for one, other in zip(chinese, english, strict=True))
    assert (
        chinese[0].rule == problem.statement_rules["zh"][4] and chinese[0].rule in chinese[0].text
    )
    asking = replace(words, words=Words(questions={"diagonal_hidden": "能吗？"}))
    own = replace(problem, mistakes=tuple(replace(m, question="?") for m in problem.mistakes))
    assert hint_steps(own, Framework.NUMPY, LINE, HIDDEN, translator=asking)[0].text == "能吗？"


def test_a_mistake_that_the_problem_no_longer_has_keeps_its_hint(problem: Problem) -> None:
    gone = replace(HIDDEN, mistake="gone")
    assert hint_steps(problem, Framework.NUMPY, LINE, gone)[2].text == gone.hint
