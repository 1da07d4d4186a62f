"""What is expected of a case that is made up as one goes: the reference, asked in a session of its
own.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from grader.answers import Answer
from grader.answers.cases import last_entry
from grader.answers.tolerance import expected_tensor, moved
from grader.case import Case, in_float64
from grader.comparison.compare import Expected
from grader.model import Ended, Framework, Limits, Run
from grader.problem import Problem
from grader.sandbox import Job, Sandbox, parts, wanted
from grader.sandbox.session import Asking

EVALUATIONS = 2  # with moved inputs, to measure how far right evaluations are apart
# of the largest number: where right evaluations are further apart, a case shows nothing
UNCLEAR = 0.01
WHOLE = 2**10  # sums of products of whole numbers up to this are exact

Suspect = Callable[[Answer], bool]


class Reference:
    """The reference of a problem, asked one case at a time."""

    def __init__(self, problem: Problem, framework: Framework, session: Asking) -> None:
        self._problem, self._framework, self._session = problem, framework, session
        self._generator = np.random.default_rng(7)

    def ask(self, case: Case) -> Run:
        """Returns the run in float64."""
        return self._session.ask(in_float64(case))

    def answer(self, case: Case, suspect: Suspect | None = None) -> Answer | None:
        """Returns the answer, None where the reference has no sure one.

        It has none where it raises, where something is not finite, and where evaluations that are
        equally right differ by much. With `suspect`, it is also None where that says of a first
        answer, with a tolerance that is perhaps too tight, that it is of no interest.
        """
        exact = self.ask(case)
        if case.raises:
            raised = exact.ended is Ended.RAISED and exact.error is not None
            return Answer(case, {}) if raised and case.raises in _bases(exact) else None
        entry = last_entry(self._problem, case)
        names = parts(wanted(case, entry, self._framework), entry.nested, exact.tensors)
        own = self._session.ask(case)
        if not names or not _whole(exact, names) or not _whole(own, names):
            return None
        if suspect is not None and not suspect(self._expected(case, names, exact, own, [own])):
            return None
        others = [self._session.ask(moved(case, self._generator)) for _ in range(EVALUATIONS)]
        if not all(_whole(run, names) for run in others):
            return None
        answer = self._expected(case, names, exact, own, [own, *others])
        sure = all(_sure(case, n, each, exact, others) for n, each in answer.expected.items())
        return answer if sure else None

    def _expected(
        self, case: Case, names: list[str], exact: Run, own: Run, others: list[Run]
    ) -> Answer:
        return Answer(
            case,
            {n: expected_tensor(self._problem, case, n, exact, own, others) for n in names},
        )


@contextmanager
def reference(
    problem: Problem, framework: Framework, sandbox: Sandbox, limits: Limits
) -> Iterator[Reference]:
    """Opens a session of the reference."""
    job = Job(
        problem.references[framework],
        framework,
        problem.kind,
        problem.entries,
        (),
        replace(limits, memory_mib=4 * limits.memory_mib),
        driver=problem.driver,
    )
    with sandbox.session(job) as session:
        yield Reference(problem, framework, session)


def _bases(run: Run) -> tuple[str, ...]:
    return run.error.bases if run.error else ()


def _whole(run: Run, names: list[str]) -> bool:
    """Did everything come back, and is it finite?"""
    return run.ended is Ended.RETURNED and all(
        name in run.tensors and (name.startswith("after.") or np.isfinite(run.tensors[name]).all())
        for name in names
    )


def _sure(case: Case, name: str, expected: Expected, exact: Run, others: list[Run]) -> bool:
    """Are evaluations that are equally right close together?"""
    if name.startswith("after."):
        return True
    values = expected.values
    if values.dtype.kind == "f" and expected.dtype not in ("int", "bool"):
        largest = float(np.abs(values).max(initial=0.0))
        return expected.tolerance <= UNCLEAR * max(largest, UNCLEAR)
    # which of two numbers is larger must not hang on their last digit
    same = [exact.tensors[name], *([] if _exact(case) else (run.tensors[name] for run in others))]
    return all(np.array_equal(other, values) for other in same)


def _exact(case: Case) -> bool:
    """Are all inputs whole numbers so small that no sum of products is rounded?"""
    floats = [array for array in case.tensors().values() if array.dtype.kind == "f"]
    return all(bool((np.abs(a) <= WHOLE).all() and (a == np.round(a)).all()) for a in floats)
