"""The worker's side of rejudging: claim, judge against the rejudge's version, store the verdict."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row
from sqlalchemy.orm import Session

from grader import model
from grader.errors import JudgeError, UsageError
from grader.model import Framework, Outcome, Verdict
from grader.problem import Problem
from grader.sandbox import Sandbox
from server.models.database import Database
from server.models.submissions import Submission
from server.models.teaching import Rejudge
from server.services.jobs import execution, leases
from server.services.jobs.kinds import REJUDGEMENTS
from server.services.jobs.leases import Lease
from server.services.problems.bank import Bank
from server.services.rendering import display_limits, samples


@dataclass(frozen=True, slots=True)
class Claim(Lease):
    """A submission that this worker judges again now."""

    problem: str
    digest: str
    framework: Framework
    source: str


def waiting(database: Database) -> bool:
    """Checks whether a job could be claimed now."""
    return leases.waiting(database, REJUDGEMENTS)


def claim(database: Database, owner: str) -> Claim | None:
    """Claims the next job: open rejudges are served in turn."""
    return leases.claim(database, REJUDGEMENTS, owner, _read)


def _read(session: Session, lease: Lease, row: Row[Any]) -> Claim:
    rejudge = session.get_one(Rejudge, row.rejudge_id)
    submission = session.get_one(Submission, row.submission_id)
    return Claim(
        kind=lease.kind,
        id=lease.id,
        attempt=lease.attempt,
        failures=lease.failures,
        problem=rejudge.problem,
        digest=rejudge.digest,
        framework=Framework(submission.framework),
        source=submission.source,
    )


def carry_out(
    database: Database,
    claimed: Claim,
    bank: Bank,
    room: Sandbox,
    judge: Callable[..., Verdict],
    seed: int,
    pause: float,
) -> bool:
    """Judges it and stores the verdict beside the old one; False when there is none.

    After a failure of the judge the job is retried, at first after `pause` seconds. A dead letter
    has no verdict, and the old one stays.
    """

    def work() -> dict[str, Any]:
        problem = _version(bank, claimed)
        sent = model.Submission(claimed.framework, claimed.source)
        verdict = judge(problem, sent, room, seed=seed, samples_only=False, on_case=_ignore)
        return _result(problem, verdict)

    return execution.carry_out(database, claimed, work, pause)


def _ignore(result: object) -> None:
    """Nobody watches the cases of a rejudge."""


def _version(bank: Bank, claimed: Claim) -> Problem:
    """Returns the version that the rejudge is against, even when another is in use by now.

    Raises `UsageError` when the version or the source is gone.
    """
    if not claimed.source:
        raise UsageError("the source of this submission is no longer kept")
    current = bank.get(claimed.problem)
    if current is not None and current.digest == claimed.digest:
        return current
    if bank.shelf is None:
        raise UsageError("the version that this rejudge is against is gone")
    return bank.shelf.load(claimed.problem, claimed.digest)


def _result(problem: Problem, verdict: Verdict) -> dict[str, Any]:
    if verdict.verdict is Outcome.JUDGE_ERROR:
        raise JudgeError(verdict.message)
    return {
        "outcome": str(verdict.verdict),
        "score": verdict.score,
        "max_score": verdict.max_score,
        "message": verdict.message[:2000],
        "cpu_ms": verdict.cpu_ms,
        "verdict": verdict.to_json(),
        "shown": display_limits.within(samples.shown_data(problem, verdict.cases)),
        "behaviour": verdict.behaviour,
    }
