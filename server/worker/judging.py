"""One claimed submission, from its source to the stored verdict; and whose fault it is when there
is none.
"""

import logging
import threading
import time
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from grader.errors import JudgeError, ProblemError, RoomError
from grader.model import Outcome, Submission, Verdict
from grader.problem import Problem
from grader.sandbox import Sandbox
from server.models.database import Database
from server.services import submissions
from server.services.hub import Hub
from server.services.problems.bank import Bank
from server.services.rendering import display_limits, samples
from server.settings import Settings
from server.worker.counters import Tally
from server.worker.progress import Progress
from server.worker.room import Core, Room

log = logging.getLogger("server.judging")

FAILED = (
    "The judge failed on this submission. This is not your fault, and nothing is scored. "
    "It counts as an attempt until the operator has looked at it."
)
BROKEN = (
    "This problem is broken and cannot be judged now. It is not your fault and nothing is scored;"
    " the operator can see it."
)


class Judging:
    """What judging needs of its process; `judge` is the whole of it."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        bank: Bank,
        hub: Hub,
        core: Core,
        room: Room,
        stop: threading.Event,
    ) -> None:
        self.settings, self.database, self.bank, self.hub, self.core, self.room = (
            settings,
            database,
            bank,
            hub,
            core,
            room,
        )
        self.tally = Tally()
        self._stop = stop

    def judge(self, claimed: submissions.Claim, sandbox: Sandbox) -> None:
        """Judge it and store the verdict, or put it back after a failure of ours.

        Raises `SQLAlchemyError` when neither can be written.
        """
        began = time.monotonic()
        problem = self.bank.get(claimed.problem)
        if problem is None:
            self._end(
                claimed,
                self._ours(claimed, None, BROKEN),
                {},
                "the problem is no longer in the bank",
                began,
            )
            return
        if claimed.failures >= submissions.ATTEMPTS:  # it has taken that many workers down with it
            self._lose(claimed, problem, "lost with its worker each time", claimed.failures, began)
            return
        try:
            verdict = self.core.judge(
                problem,
                Submission(claimed.framework, claimed.source),
                sandbox,
                seed=self.settings.seed,
                samples_only=claimed.trial,
                on_case=Progress(self.database, self.hub, claimed),
            )
        except ProblemError as error:
            self._end(claimed, self._ours(claimed, problem, BROKEN), {}, str(error), began)
        except RoomError as error:  # there is no room: it counts against nobody, and waits
            self.room.broke(error)
            submissions.put_back(
                self.database, claimed, str(error), self.settings.retry, counts=False
            )
        except (JudgeError, OSError, MemoryError) as error:
            self._failed(claimed, problem, error, began)
        # a defect of the judge is ours as well, and must not lose the row
        except Exception as error:
            log.exception("judge")
            self._failed(claimed, problem, error, began)
        else:
            if verdict.verdict is Outcome.JUDGE_ERROR:
                self._failed(claimed, problem, JudgeError(verdict.message), began)
                return
            self._end(
                claimed,
                verdict,
                display_limits.within(samples.shown_data(problem, verdict.cases)),
                None,
                began,
            )

    def _failed(
        self, claimed: submissions.Claim, problem: Problem, error: Exception, began: float
    ) -> None:
        self.tally.failure()
        trouble = f"{type(error).__name__}: {error}"
        if claimed.failures + 1 >= submissions.ATTEMPTS:
            self._lose(claimed, problem, trouble, claimed.failures + 1, began)
            return
        submissions.put_back(
            self.database, claimed, trouble, self.settings.retry * 2**claimed.failures
        )
        log.error(
            "judge failed",
            extra={
                "fields": {
                    "submission": claimed.id,
                    "attempt": claimed.attempt,
                    "trouble": trouble[:500],
                }
            },
        )

    def _lose(
        self,
        claimed: submissions.Claim,
        problem: Problem,
        trouble: str,
        failures: int,
        began: float,
    ) -> None:
        """After all tries: it is for the operator to look at."""
        self._end(claimed, self._ours(claimed, problem, FAILED), {}, trouble, began, failures)

    def _end(
        self,
        claimed: submissions.Claim,
        verdict: Verdict,
        numbers: dict[str, Any],
        trouble: str | None,
        began: float,
        failures: int | None = None,
    ) -> None:
        kept = self._finish(claimed, verdict, numbers, trouble, failures)
        if kept:
            self.tally.verdict(
                str(verdict.verdict), claimed.waited_ms / 1000, time.monotonic() - began
            )
        fields = {
            "submission": claimed.id,
            "attempt": claimed.attempt,
            "problem": claimed.problem,
            "framework": str(claimed.framework),
            "verdict": str(verdict.verdict),
            "trial": claimed.trial,
            "waited_ms": round(claimed.waited_ms, 1),
            "judged_ms": round((time.monotonic() - began) * 1000, 1),
            "kept": kept,
        }
        log.info(
            "verdict", extra={"fields": fields | ({"trouble": trouble[:500]} if trouble else {})}
        )

    def _finish(
        self,
        claimed: submissions.Claim,
        verdict: Verdict,
        numbers: dict[str, Any],
        trouble: str | None,
        failures: int | None,
    ) -> bool:
        """Write the verdict; while the database cannot take it (locked, disk full) try again for as
        long as the lease lasts.
        """
        end = time.monotonic() + self.settings.lease
        while True:
            try:
                return submissions.finish(
                    self.database, claimed, verdict, numbers, trouble, failures
                )
            except SQLAlchemyError as error:
                if time.monotonic() > end or self._stop.wait(0.5):
                    raise
                log.error(
                    "database",
                    extra={"fields": {"submission": claimed.id, "trouble": type(error).__name__}},
                )

    def _ours(self, claimed: submissions.Claim, problem: Problem | None, message: str) -> Verdict:
        """The verdict that says that we failed."""
        return Verdict(
            problem=claimed.problem,
            digest=problem.digest if problem else "",
            framework=claimed.framework,
            verdict=Outcome.JUDGE_ERROR,
            score=0,
            max_score=0,
            isolation=self.settings.isolation,
            seed=self.settings.seed,
            cases=(),
            diagnoses=(),
            message=message,
        )
