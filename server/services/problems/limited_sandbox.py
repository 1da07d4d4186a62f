"""A sandbox that bounds what an instructor's code may ask of the machine: so much memory a case, so
long all together.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import closing

from grader.case import Case, CaseError
from grader.errors import ProblemError
from grader.model import SERVER_LIMITS, Framework, Run
from grader.sandbox import Job, Sandbox
from server.messages import Message

VERIFY_S = 600.0


class Guard:
    """Verification runs in here. Past its time the next run raises `ProblemError`."""

    def __init__(self, inner: Sandbox, seconds: float = VERIFY_S) -> None:
        self.inner, self.name, self.seconds = inner, inner.name, seconds
        self.end = time.monotonic() + seconds

    def run(self, job: Job) -> Iterator[Run]:
        """See `Sandbox.run`."""
        return self._limited(self.inner.run(job))

    def run_together(self, job: Job) -> Iterator[Run]:
        """See `Sandbox.run_together`."""
        return self._limited(self.inner.run_together(job))

    def survey(self, jobs: Iterable[Job]) -> Iterator[list[Run]]:
        """See `Sandbox.survey`."""
        self._in_time()
        with closing(self.inner.survey(jobs)) as survey:  # type: ignore[type-var]
            for runs in survey:
                yield runs
                self._in_time()

    def _limited(self, runs: Iterator[Run]) -> Iterator[Run]:
        self._in_time()
        with closing(runs):  # type: ignore[type-var]
            for run in runs:
                yield run
                self._in_time()

    def prepare(self, framework: Framework) -> None:
        """See `Sandbox.prepare`."""
        self.inner.prepare(framework)

    def generate(self, source: str, framework: Framework, seed: int) -> list[Case]:
        """See `Sandbox.generate`. Raises `CaseError` also for a case that asks for too much."""
        self._in_time()
        cases = self.inner.generate(source, framework, seed)
        most = SERVER_LIMITS.memory_mib
        for case in cases:
            if case.memory_mib is not None and not 0 < case.memory_mib <= most:
                raise CaseError(
                    f"case '{case.name}': memory_mib is {case.memory_mib}; give 1 to {most:g}"
                )
            if case.draws > 100_000:
                raise CaseError(f"case '{case.name}': draws is {case.draws}; at most 100,000")
        return cases

    def close(self) -> None:
        """The room is shared: it stays."""

    def _in_time(self) -> None:
        if time.monotonic() > self.end:
            raise ProblemError(
                Message(
                    "all together took longer than %(seconds)s s; make cases smaller or fewer",
                    seconds=f"{self.seconds:g}",
                )
            )
