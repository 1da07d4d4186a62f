"""behaviour(): failures that nothing explains, and which of them do the same.

Nothing is run: programs are functions of a case.
"""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from grader.case import Case
from grader.diagnosis.behaviour import MOST_TENSORS, Behaviour, alike, form
from grader.judge import judge
from grader.model import Ended, Framework, Outcome, Run, Submission, Verdict
from tests.grader.small import FakeRoom, Program, returned
from tests.grader.test_diagnose import in_cases, nan, problem_with, raises, right, times

NUMPY = Framework.NUMPY


def drawn(count: int) -> list[Case]:
    return [
        Case(
            f"case {i}",
            inputs={
                "q": np.full((1, 2), i + 1.0, np.float32),
                "k": np.eye(2, dtype=np.float32),
            },
            sample=i == 0,
            note="x",
        )
        for i in range(count)
    ]


DOUBLE = times(2)


def verdict(
    tmp_path: Path, learner: Program, count: int = 4, mistake: Program = DOUBLE, **options: bool
) -> Verdict:
    """Of a problem with one mistake, to double unless said; only the first case has no public twin."""
    problem = problem_with(tmp_path, {"double": Outcome.WRONG_ANSWER})
    programs = {problem.references[NUMPY]: right, "theirs": learner, "double": mistake}
    room = FakeRoom(drawn(count), programs, drawn=True)
    return judge(problem, Submission(NUMPY, "theirs"), room, **options)


def seen(tmp_path: Path, learner: Program) -> Behaviour:
    found = verdict(tmp_path, learner).behaviour
    assert found is not None
    return found


def not_loaded(case: Case) -> Run:
    return Run(case.name, Ended.NOT_LOADED)


def wider(case: Case) -> Run:
    return returned(case.name, scores=np.zeros((1, 3), np.float32))


@pytest.mark.parametrize(
    "learner", [right, times(2), not_loaded], ids=["accepted", "explained", "never called"]
)
def test_there_is_none(tmp_path: Path, learner: Program) -> None:
    assert verdict(tmp_path, learner).behaviour is None


def test_there_is_none_of_a_sample_run(tmp_path: Path) -> None:
    assert verdict(tmp_path, times(3), samples_only=True).behaviour is None
    assert verdict(tmp_path, times(3)).behaviour is not None


def test_a_guess_explains_nothing(tmp_path: Path) -> None:
    def flipped(case: Case) -> Run:
        return returned(case.name, scores=nan(case).tensors["scores"][:, ::-1])

    found = verdict(tmp_path, flipped, mistake=nan)
    assert [each.guess for each in found.diagnoses] == [True]
    assert found.behaviour is not None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (times(3), times(3), True),
        (times(3), times(3 * (1 + 2e-7)), True),
        (times(3), times(3, np.float64), True),
        (times(3), times(3.001), False),
        (times(3), times(-3), False),
        (times(3), in_cases("123", times(3)), False),
        (times(3), in_cases("12", times(3), times(5)), False),
        (nan, nan, True),
        (nan, times(3), False),
        (wider, times(0), False),
        (raises("ValueError"), raises("ValueError"), True),
        (raises("ValueError"), raises("ValueError", "another text"), False),
        (raises("ValueError"), raises("TypeError"), False),
        (raises("ValueError"), times(3), False),
    ],
    ids=[
        "equal",
        "equal up to rounding",
        "wider dtype",
        "close is not equal",
        "other sign",
        "fails elsewhere",
        "equal in some cases only",
        "equal with NaN",
        "NaN and a number",
        "another shape",
        "the same exception",
        "another text",
        "another exception",
        "an exception and a result",
    ],
)
def test_alike(tmp_path: Path, one: Program, other: Program, same: bool) -> None:
    ours, theirs = seen(tmp_path, one), seen(tmp_path, other)
    assert (form(ours) == form(theirs) and alike(ours, theirs)) is same


def test_numbers_on_both_sides_of_a_boundary_are_alike(tmp_path: Path) -> None:
    """Whatever grid numbers were rounded to, some of these would fall into different cells."""
    steps = [seen(tmp_path, times(3 * (1 + i * 2e-7))) for i in range(8)]
    assert all(alike(a, b) for a, b in pairwise(steps))


def test_it_depends_on_nothing_hidden(tmp_path: Path) -> None:
    """A program that gives its hidden inputs away is seen as what it does in public."""
    hidden = 2 * drawn(4)[1].inputs["q"][0, 0]

    def tells(case: Case) -> Run:
        factor = 17.0 if case.inputs["q"][0, 0] >= hidden and case.name == "case 1" else 3.0
        return times(factor)(case)

    ours, theirs = seen(tmp_path, tells), seen(tmp_path, times(3))
    assert ours == theirs


def test_it_is_not_in_the_json_of_a_verdict(tmp_path: Path) -> None:
    found = verdict(tmp_path, times(3))
    assert found.behaviour is not None
    assert "behaviour" not in found.to_json()
    assert Verdict.from_json(found.to_json()).behaviour is None


def test_it_stays_small(tmp_path: Path) -> None:
    found = verdict(tmp_path, times(3), count=150).behaviour
    assert found is not None
    assert sum(len(case["tensors"]) for case in found["cases"]) == MOST_TENSORS
    assert found["failed"] == 150
    assert len(json.dumps(found)) < 12_000
