"""One child that is kept and asked one case after another."""

from dataclasses import replace

import numpy as np
import pytest

from grader.case import Case
from grader.model import Ended, Framework, Kind, Limits
from grader.problem import Entry, Parameter
from grader.sandbox import Job, SandboxPool
from grader.sandbox.session import SESSION_CHILDREN

SOURCE = """
import os, time
import numpy as np

CALLS = []

def probe(x):
    CALLS.append(1)
    if x[0] < 0:
        os._exit(5)
    if x[0] > 9:
        time.sleep(60)
    return np.array([len(CALLS), x[0]])
"""
JOB = Job(
    SOURCE,
    Framework.NUMPY,
    Kind.FUNCTION,
    (Entry("probe", (Parameter("x", True),), ("answer",)),),
    (),
    Limits(wall_s=2.0, memory_mib=256, output_mib=8, text_kib=16, total_s=30.0),
)


def case(number: float) -> Case:
    """A case that passes one number."""
    return Case("any", inputs={"x": np.array([number])})


def test_one_child_answers_many_cases_in_turn(sandbox: SandboxPool) -> None:
    with sandbox.session(JOB) as session:
        runs = [session.ask(case(number)) for number in range(9)]
    answers = [run.tensors["answer"].tolist() for run in runs]
    assert answers == [[calls + 1, calls] for calls in range(9)]


def test_a_case_may_depend_on_the_last_result(sandbox: SandboxPool) -> None:
    with sandbox.session(JOB) as session:
        first = session.ask(case(1)).tensors["answer"]
        second = session.ask(case(float(first.sum()))).tensors["answer"]
    assert second.tolist() == [2, 2]


def test_two_sessions_share_nothing(sandbox: SandboxPool) -> None:
    with sandbox.session(JOB) as one, sandbox.session(JOB) as other:
        one.ask(case(1))
        assert other.ask(case(1)).tensors["answer"][0] == 1


def test_a_child_that_died_is_replaced_by_a_fresh_one(sandbox: SandboxPool) -> None:
    with sandbox.session(JOB) as session:
        session.ask(case(1))
        assert session.ask(case(-1)).ended is Ended.DIED
        assert session.ask(case(1)).tensors["answer"][0] == 1


def test_replacing_children_is_bounded(sandbox: SandboxPool) -> None:
    with sandbox.session(JOB) as session:
        runs = [session.ask(case(-1)) for _ in range(SESSION_CHILDREN + 2)]
        after = session.ask(case(1))
    assert [run.executed for run in runs] == [True] * SESSION_CHILDREN + [False] * 2
    assert after.ended is Ended.DIED
    assert not after.executed


def test_the_time_of_all_calls_is_bounded(sandbox: SandboxPool) -> None:
    hasty = replace(JOB, limits=replace(JOB.limits, total_s=1.0))
    with sandbox.session(hasty) as session:
        assert session.ask(case(10)).ended is Ended.WALL_TIME
        after = session.ask(case(1))
    assert after.ended is Ended.WALL_TIME
    assert not after.executed


def test_a_source_that_does_not_load_says_so_for_each_case(sandbox: SandboxPool) -> None:
    with sandbox.session(replace(JOB, source="def probe(:\n")) as session:
        assert session.ask(case(1)).ended is Ended.NOT_LOADED
        assert session.ask(case(1)).ended is Ended.NOT_LOADED


@pytest.mark.parametrize("framework", list(Framework))
def test_what_is_written_is_evaluated(framework: Framework, sandbox: SandboxPool) -> None:
    written = sandbox.evaluate(
        "a = [[1, 2]]\nb = np.ones(3) * len(a)\nc = 0.5\nd = None", framework
    )
    assert written.fault is None
    assert written.arrays["a"].tolist() == [[1, 2]]
    assert written.arrays["b"].tolist() == [1.0, 1.0, 1.0]
    assert dict(written.scalars) == {"c": 0.5, "d": None}
    assert written.literals == {"a"}


def test_a_loading_error_is_not_asked_again_for_ever(sandbox: SandboxPool) -> None:
    with sandbox.session(replace(JOB, source="import os\nos._exit(1)\n")) as session:
        runs = [session.ask(case(1)) for _ in range(SESSION_CHILDREN + 3)]
    assert sum(run.executed for run in runs) == SESSION_CHILDREN
