"""Many programs of one author in few containers: their runs are those of a container each."""

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from grader.answers import answers_for
from grader.diagnosis.matching import costly
from grader.model import Ended, Framework, Run
from grader.problem import load
from grader.sandbox import Job, SandboxPool, with_sources
from tests.conftest import ROOT

HEAD = "import numpy as np\n\n\ndef scaled_dot_product_attention(q, k, v, scale=None):\n"
LOOPS = HEAD + "    while True:\n        pass\n"
PROGRAMS = {
    "raises": HEAD + "    raise ValueError('no')\n",
    "dies": "import os\n" + HEAD + "    os._exit(3)\n",
    "prints": HEAD + "    print('words')\n    return q, k\n",
    "is no Python": "def (\n",
    "has another name": "def attention():\n    pass\n",
    "loops": LOOPS,
}


def job(sandbox: SandboxPool) -> tuple[Job, str]:
    """A quick job without a program, and the reference."""
    problem = load(ROOT, "scaled_dot_product_attention")
    answers = answers_for(problem, Framework.NUMPY, sandbox)
    cases = tuple(a.case for a in answers.cases if not costly(a))
    limits = replace(problem.limits, wall_s=0.5)
    found = Job("", Framework.NUMPY, problem.kind, problem.entries, cases, limits)
    return found, problem.references[Framework.NUMPY]


def same(one: Run, two: Run) -> bool:
    """Did both end alike, with the same values bit for bit?"""
    return (one.case, one.ended, one.tensors.keys()) == (
        two.case,
        two.ended,
        two.tensors.keys(),
    ) and all(np.array_equal(t, two.tensors[n], equal_nan=True) for n, t in one.tensors.items())


def test_each_program_runs_as_if_alone(sandbox: SandboxPool) -> None:
    empty, right = job(sandbox)
    sources = [right, *(s for p in PROGRAMS.values() for s in (p, right))]  # each after every other
    surveyed = list(sandbox.survey(with_sources(empty, sources)))
    alone = [list(sandbox.run(replace(empty, source=source))) for source in sources]
    for found, expected in zip(surveyed, alone, strict=True):
        assert len(found) == len(expected) == len(empty.cases)
        assert all(same(one, two) for one, two in zip(found, expected, strict=True))
    assert {run.ended for run in surveyed[0]} == {Ended.RETURNED}


def test_a_program_that_loops_is_given_up_as_in_judging(sandbox: SandboxPool) -> None:
    """Not once in each of its cases."""
    empty, _ = job(sandbox)
    started = time.monotonic()
    (runs,) = sandbox.survey([replace(empty, source=LOOPS)])
    assert {run.ended for run in runs} == {Ended.WALL_TIME}
    assert sum(run.executed for run in runs) <= 3 and time.monotonic() - started < 60


def test_jobs_with_other_cases_and_other_limits_share_a_survey(sandbox: SandboxPool) -> None:
    """Each has its own cases; another limit needs another container."""
    empty, right = job(sandbox)
    first = replace(empty, source=right, cases=empty.cases[:2])
    second = replace(empty, source=right, cases=empty.cases[1:4])
    wider = replace(second, limits=replace(second.limits, memory_mib=512))
    surveyed = list(sandbox.survey([first, second, wider, first]))
    names = [[run.case for run in runs] for runs in surveyed]
    assert names == [[case.name for case in each.cases] for each in (first, second, wider, first)]
    for one, two in zip(surveyed[1], surveyed[2], strict=True):
        assert same(one, two)


def test_a_job_is_taken_when_the_last_runs_are_there(sandbox: SandboxPool) -> None:
    """So the next job may depend on them."""
    empty, right = job(sandbox)
    seen: list[str] = []

    def jobs() -> Iterator[Job]:
        for case in empty.cases[:3]:
            seen.append(f"asked {case.name}")
            yield replace(empty, source=right, cases=(case,))

    for (run,) in sandbox.survey(jobs()):
        seen.append(f"told {run.case}")
    assert seen == [f"{word} {c.name}" for c in empty.cases[:3] for word in ("asked", "told")]
