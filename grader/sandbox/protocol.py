"""The interface between the judge and whatever runs other people's code."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Protocol

from grader.case import Case
from grader.model import Framework, Run
from grader.sandbox.assembly import Assembled, Assembly
from grader.sandbox.generation import Computed, Program, Written
from grader.sandbox.job import Job
from grader.sandbox.session import Asking
from grader.sandbox.traced import Traced


class Sandbox(Protocol):
    """Where other people's code runs."""

    name: str

    def run(self, job: Job) -> Iterator[Run]:
        """Yields one run for each case of the job, in order.

        Raises `RoomError` when no room can be built.
        """

    def run_together(self, job: Job) -> Iterator[Run]:
        """Like `run`, without a pause between the cases. For public cases only: the program can
        read ahead.

        Raises `Unusual`, perhaps after the last run, when not all end as usual. Then none of the
        runs counts, and `run` gives the right ones.
        """

    def survey(self, jobs: Iterable[Job]) -> Iterator[list[Run]]:
        """The runs of each job's cases, in as few containers as will do. A job is taken when the
        runs of the one before have been yielded.

        Programs share a container, so they must be of one author: never a learner's.
        """

    def session(self, job: Job) -> AbstractContextManager[Asking]:
        """One child, asked cases that are chosen as one goes; the job's own cases are not used.

        Never with a hidden case: what a child has seen it can repeat.
        """

    def trace(self, job: Job) -> tuple[Run, Traced]:
        """The run of a job's only case, and every value that the program computes in it.

        A job with rules still refuses a forbidden name. Raises `RoomError` as `run` does.
        """

    def prepare(self, framework: Framework) -> None:
        """Prepares for another run, which follows soon."""

    def generate(self, source: str, framework: Framework, seed: int) -> list[Case]:
        """Returns what a cases.py yields for a seed. Raises `CaseError` when it fails."""

    def evaluate(self, source: str, framework: Framework) -> Written:
        """Returns the inputs that a learner wrote as assignments, or what is wrong with them."""

    def compute(self, program: Program) -> Computed:
        """Returns what the program of a lesson computes, or how it failed."""

    def assembled(self, assembly: Assembly) -> AbstractContextManager[Assembled]:
        """A model put together from several sources, each called once already.

        Raises `BrokenPart` when one of them fails.
        """

    def close(self) -> None:
        """Ends every process of the room."""
