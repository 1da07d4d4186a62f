"""Judges one claimed submission, from its source to the stored verdict.

It decides whose fault it is when there is no verdict: the instructor's, or the service's.
"""

import logging
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from grader.errors import JudgeError, ProblemError, RoomError, UsageError
from grader.model import Outcome, Submission, Verdict
from grader.problem import Problem
from grader.sandbox import Sandbox
from server.messages import Message
from server.models.database import Database
from server.services import submission_queue
from server.services.capstone import runs, solutions
from server.services.jobs.leases import EXHAUSTED
from server.services.problems.bank import Bank
from server.services.rendering import display_limits, samples
from server.services.submission_queue import Claim
from server.services.waking.hub import Hub
from server.settings import Settings
from server.worker import memory
from server.worker.metrics import WorkerMetrics
from server.worker.progress import LeaseLostError, Progress, WrittenText
from server.worker.room import Core, Room

log = logging.getLogger("server.judging")

FAILED = Message(
    "The judge failed on this submission. This is not your fault, and nothing is scored. "
    "It counts as an attempt until the operator has looked at it."
)
BROKEN = Message(
    "This problem is broken and cannot be judged now. It is not your fault and nothing is scored;"
    " the operator can see it."
)


@dataclass(frozen=True, slots=True)
class Ending:
    """What is stored of a submission that is judged."""

    verdict: Verdict | None  # None: an exploration, which has only something to show
    shown: dict[str, Any]
    last_error: str | None = None
    failures: int | None = None  # None: the judge did not fail


class Judging:
    """What judging needs of its process."""

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
        self.settings, self.database, self.bank = settings, database, bank
        self.hub, self.core, self.room = hub, core, room
        self.metrics = WorkerMetrics()
        self._stop = stop

    def judge(self, claimed: Claim, sandbox: Sandbox) -> None:
        """Judges it and stores the verdict, or queues it again after a failure of the judge; then
        notifies whoever waits.

        Raises `SQLAlchemyError` when neither can be written.
        """
        began = time.monotonic()
        try:
            ending = None if claimed.cancelled else self._ending(claimed, sandbox)
            kept = ending is not None and self._finish(claimed, ending)
            cancelled = not kept and submission_queue.end_cancelled(self.database, claimed)
        finally:
            self.hub.notify(claimed.id)
        judged_s = time.monotonic() - began
        if ending is not None:
            self._count(claimed, ending, judged_s, kept)
        if cancelled:
            log.info("cancelled", extra={"fields": {"submission": claimed.id}})
        if judged_s > memory.LONG_S:
            memory.give_back()

    def _ending(self, claimed: Claim, sandbox: Sandbox) -> Ending | None:
        """Returns what to store; None when it was queued again, or the lease was lost."""
        problem = self.bank.newest(claimed.problem)
        if problem is None:
            return self._broken(claimed, None, "the problem is no longer in the bank")
        if claimed.exhausted:  # it may be what ended its workers
            return self._dead_letter(claimed, problem, EXHAUSTED, claimed.failures)
        try:
            if claimed.exploration is not None:
                return self._explored(claimed, problem, claimed.exploration, sandbox)
            verdict = self._verdict(claimed, problem, sandbox)
            shown = display_limits.within(samples.shown_data(problem, verdict.cases))
            return Ending(verdict, shown)
        except LeaseLostError:
            return None
        except (ProblemError, UsageError) as error:  # UsageError: it lost this framework meanwhile
            return self._broken(claimed, problem, str(error))
        except RoomError as error:  # there is no room: that is no failure of this submission
            self.room.broke(error, sandbox)
            submission_queue.give_back(self.database, claimed, str(error), self.settings.retry)
            return None
        except (JudgeError, OSError, MemoryError) as error:
            return self._failed(claimed, problem, error)
        # a defect of the judge is a failure of the service too, and must not lose the row
        except Exception as error:
            log.exception("judge")
            return self._failed(claimed, problem, error)

    def _explored(
        self, claimed: Claim, problem: Problem, wanted: Mapping[str, Any], sandbox: Sandbox
    ) -> Ending:
        if runs.is_model(wanted):
            return Ending(None, dict(self._model(claimed, wanted, sandbox)))
        submission = Submission(claimed.framework, claimed.source)
        find = self.bank.get
        return Ending(None, dict(self.core.explore(problem, submission, sandbox, wanted, find)))

    def _model(
        self, claimed: Claim, wanted: Mapping[str, Any], sandbox: Sandbox
    ) -> Mapping[str, Any]:
        """Returns what the model of a learner writes, or how it compares with the reference."""
        problems = solutions.problems(self.bank)
        if problems is None:
            raise ProblemError(
                "the model cannot run: the bank lacks a part of it, or PyTorch is not installed"
            )
        with self.database.read() as session:
            own = solutions.sources(session, claimed.user_id, wanted["parts"])
        on_text = WrittenText(self.database, self.hub, claimed)
        return self.core.run_model(problems, own, wanted, sandbox, on_text)

    def _verdict(self, claimed: Claim, problem: Problem, sandbox: Sandbox) -> Verdict:
        verdict = self.core.judge(
            problem,
            Submission(claimed.framework, claimed.source),
            sandbox,
            seed=self.settings.seed,
            samples_only=claimed.samples_only,
            on_case=Progress(self.database, self.hub, claimed),
        )
        if verdict.verdict is Outcome.JUDGE_ERROR:
            raise JudgeError(verdict.message)
        return verdict

    def _failed(self, claimed: Claim, problem: Problem, error: Exception) -> Ending | None:
        """Queues it again; after the last attempt returns the end."""
        self.metrics.failure()
        last_error = f"{type(error).__name__}: {error}"
        if claimed.last_attempt:
            return self._dead_letter(claimed, problem, last_error, claimed.failures + 1)
        submission_queue.retry(self.database, claimed, last_error, self.settings.retry)
        fields = {
            "submission": claimed.id,
            "attempt": claimed.attempt,
            "trouble": last_error[:500],
        }
        log.error("judge failed", extra={"fields": fields})
        return None

    def _broken(self, claimed: Claim, problem: Problem | None, last_error: str) -> Ending:
        return Ending(self._judge_error(claimed, problem, BROKEN), {}, last_error)

    def _dead_letter(
        self, claimed: Claim, problem: Problem, last_error: str, failures: int
    ) -> Ending:
        """Returns the end after all attempts: the operator has to look at it."""
        return Ending(self._judge_error(claimed, problem, FAILED), {}, last_error, failures)

    def _count(self, claimed: Claim, ending: Ending, judged_s: float, kept: bool) -> None:
        """Counts and logs a submission that has ended."""
        outcome = "explored" if ending.verdict is None else str(ending.verdict.verdict)
        if kept:
            self.metrics.verdict(outcome, claimed.waited_ms / 1000, judged_s)
        fields = {
            "submission": claimed.id,
            "attempt": claimed.attempt,
            "problem": claimed.problem,
            "framework": str(claimed.framework),
            "verdict": outcome,
            "trial": claimed.samples_only,
            "waited_ms": round(claimed.waited_ms, 1),
            "judged_ms": round(judged_s * 1000, 1),
            "kept": kept,
        }
        if ending.last_error:
            fields["trouble"] = ending.last_error[:500]
        log.info("verdict", extra={"fields": fields})

    def _finish(self, claimed: Claim, ending: Ending) -> bool:
        """Stores the verdict; while the database cannot take it (locked, disk full), tries again.

        It tries for as long as a lease lasts.
        """
        end = time.monotonic() + self.settings.lease
        while True:
            try:
                return submission_queue.finish(
                    self.database,
                    claimed,
                    ending.verdict,
                    ending.shown,
                    ending.last_error,
                    ending.failures,
                )
            except SQLAlchemyError as error:
                if time.monotonic() > end or self._stop.wait(0.5):
                    raise
                fields = {"submission": claimed.id, "trouble": type(error).__name__}
                log.error("database", extra={"fields": fields})

    def _judge_error(self, claimed: Claim, problem: Problem | None, message: str) -> Verdict:
        """Returns the verdict that says that the service failed."""
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
