"""Computes the samples that a statement shows, once for each version of a problem."""

import logging
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import select, update

from grader.errors import GradeError, JudgeError, RoomError
from grader.problem import Problem
from grader.sandbox import Sandbox
from server.models.database import Database
from server.models.submissions import ProblemVersion
from server.services.problems.bank import Bank
from server.services.rendering import samples

log = logging.getLogger("server.answering")


class Answering:
    """The chore of `server.worker.threads.Worker` that computes missing samples."""

    name = "answers"

    def __init__(
        self, database: Database, bank: Bank, shown_answers: Callable[..., samples.Shown]
    ) -> None:
        self.database, self.bank, self.shown_answers = database, bank, shown_answers
        self._hints = threading.Semaphore(0)
        self._lost = Counter[tuple[str, str]]()  # how often the judge failed at a version
        self._refused: set[tuple[str, str]] = set()  # versions whose fault this process has seen

    def wake(self) -> None:
        """Ends a sleep: there may be a new version of a problem."""
        self._hints.release()

    def wait(self, seconds: float) -> None:
        """Sleeps until there is a hint, at most so long."""
        self._hints.acquire(timeout=seconds)

    def step(self, room: Sandbox, owner: str) -> bool:
        """Computes the samples of one problem; False when none are missing."""
        missing = self._unanswered()
        if not missing:
            return False
        # one at which the judge failed comes after the others
        problem = min(missing, key=lambda p: self._lost[p.slug, p.digest])
        data, counts = list[dict[str, Any]](), dict[str, int]()
        try:
            shown = self.shown_answers(problem, room)
            data, counts = samples.sample_data(problem, shown.answers), dict(shown.counts)
        except RoomError:  # there is no room: they stay missing
            raise
        except GradeError as error:
            fields = {"problem": problem.slug, "trouble": str(error)[:500]}
            log.error("samples", extra={"fields": fields})
            if isinstance(error, JudgeError):  # no fault of the problem: tried again
                self._lost[problem.slug, problem.digest] += 1
                return False
            self._refused.add((problem.slug, problem.digest))
        with self.database.write() as session:
            version = (ProblemVersion.slug == problem.slug, ProblemVersion.digest == problem.digest)
            session.execute(
                update(ProblemVersion).where(*version).values(samples=data, case_counts=counts)
            )
        return True

    def _unanswered(self) -> list[Problem]:
        """Returns the problems without samples or without a framework that is installed by now."""
        has_samples = ProblemVersion.samples.is_not(None)
        known = select(
            ProblemVersion.slug, ProblemVersion.digest, ProblemVersion.case_counts, has_samples
        ).where(ProblemVersion.current)
        with self.database.read() as session:
            counts = {
                (slug, digest): counted if has_samples else None
                for slug, digest, counted, has_samples in session.execute(known)
            }
        return [
            p
            for p in self.bank.problems()
            if p.runnable
            and (p.slug, p.digest) in counts
            and (p.slug, p.digest) not in self._refused
            and _lacks(p, counts[p.slug, p.digest])
        ]


def _lacks(problem: Problem, counts: Mapping[str, int] | None) -> bool:
    """Whether cases are not counted. Where none are, the problem had a fault: each process looks
    once whether it still has.
    """
    return not counts or any(str(f) not in counts for f in problem.frameworks)
