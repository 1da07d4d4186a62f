"""One child that is kept and asked cases chosen as one goes: each may depend on the last result.

Only for public cases: whoever chooses a case by what a submission did with another one lets the
submission choose, and what a child has seen it can repeat.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from grader.case import Case
from grader.model import Ended, Run
from grader.sandbox.container import Container
from grader.sandbox.ends import over_total
from grader.sandbox.job import Budget, Job

SESSION_CHILDREN = 3

Answer = Callable[[int, Case, Container | None, Budget], tuple[Container | None, Run]]


class Asking(Protocol):
    """What a session offers."""

    def ask(self, case: Case) -> Run:
        """Returns the run of one case."""


class Session:
    """A child that answers one case after another.

    One that died is replaced, at most `SESSION_CHILDREN` times; from then on, and when the job's
    time is over, every case ends as the last one did, without being asked.
    """

    def __init__(self, job: Job, answer: Answer) -> None:
        self._job, self._answer = job, answer
        self._child: Container | None = None
        self._budget = Budget(job.limits.total_s)
        self._index = self._died = 0
        self._rest: Run | None = None

    def ask(self, case: Case) -> Run:
        """Returns the run of one case."""
        if self._rest is None and self._budget.left_s <= 0:
            self._rest = Run(case.name, Ended.WALL_TIME, error=over_total(self._job.limits))
        if self._rest is not None:
            return replace(self._rest, case=case.name, executed=False)
        self._child, run = self._answer(self._index, case, self._child, self._budget)
        self._index += 1
        if self._child is None:
            self._died += 1
            if self._died == SESSION_CHILDREN or run.ended is Ended.LOST:
                self._rest = replace(run, tensors={}, dtypes={}, printed="")
        return run

    def close(self) -> None:
        """Ends the child."""
        if self._child is not None:
            self._child.close()
            self._child = None
