"""The worker's side of submissions: claim, report progress, store the verdict, retry."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, cast

from sqlalchemy import CursorResult, Row, bindparam, delete, select
from sqlalchemy.orm import Session

from grader.model import Framework, Verdict
from server.models.database import Database, clock
from server.models.submissions import CANCELLED, State, Submission, WorkerSeen
from server.services.capstone import certificates
from server.services.jobs import leases
from server.services.jobs.kinds import SUBMISSIONS
from server.services.jobs.leases import Lease
from server.services.jobs.rounds import table_of
from server.services.practice import answers as practice
from server.services.tries import count


@dataclass(frozen=True, slots=True)
class Claim(Lease):
    """A submission that this worker judges now."""

    user_id: int
    problem: str
    framework: Framework
    source: str
    samples_only: bool
    exploration: Mapping[str, Any] | None = field(hash=False)
    submitted_at: datetime
    waited_ms: float
    cancelled: bool = False


def claim(database: Database, owner: str, lease: float) -> Claim | None:
    """Claims the next submission for `lease` seconds: at most one of each learner at a time."""
    return leases.claim(database, SUBMISSIONS, owner, _read, lease)


def _read(session: Session, lease: Lease, row: Row[Any]) -> Claim:
    return Claim(
        kind=lease.kind,
        id=lease.id,
        attempt=lease.attempt,
        failures=lease.failures,
        user_id=row.user_id,
        problem=row.problem,
        framework=Framework(row.framework),
        source=row.source,
        samples_only=row.samples_only,
        exploration=row.exploration,
        submitted_at=row.submitted_at,
        cancelled=row.outcome == CANCELLED,
        waited_ms=(row.claimed_at - row.submitted_at).total_seconds() * 1000,
    )


def waiting(database: Database) -> bool:
    """Checks whether a submission could be claimed now."""
    return leases.waiting(database, SUBMISSIONS)


def next_of(database: Database, user_id: int) -> int | None:
    """Returns the next queued submission of one learner."""
    with database.read() as session:
        return session.scalar(_NEXT_OF, {"b_user": user_id})


def still_waiting(database: Database, numbers: Collection[int]) -> Collection[int]:
    """Returns those of some submissions of which nothing is known yet."""
    with database.ask() as connection:
        return connection.scalars(_STILL_WAITING, {"b_ids": list(numbers)}).all()


_table = table_of(SUBMISSIONS)
# Built once: building a statement costs more than running it.
_STILL_WAITING = select(_table.c.id).where(
    _table.c.id.in_(bindparam("b_ids", expanding=True)),
    _table.c.state != State.DONE,
    _table.c.progress.is_(None),
)
_NEXT_OF = (
    select(_table.c.id)
    .where(_table.c.user_id == bindparam("b_user"), _table.c.state == State.QUEUED)
    .order_by(_table.c.id)
    .limit(1)
)


def note_progress(database: Database, claimed: Claim, progress: list[dict[str, Any]]) -> bool:
    """Stores the cases judged so far, and how many; False when the lease was lost."""
    with database.write() as session:
        values = {"progress": progress, "max_score": len(progress)}
        return leases.write(session, claimed, values)


def finish(
    database: Database,
    claimed: Claim,
    verdict: Verdict | None,
    shown: dict[str, Any],
    last_error: str | None = None,
    failures: int | None = None,
) -> bool:
    """Stores the verdict, once; False when the lease was lost and nothing was written.

    An exploration has none, only what is shown. `failures`: of the judge, with the last one; None
    when there was none.
    """
    values: dict[str, Any] = {
        **(_of_verdict(verdict) if verdict is not None else {}),
        "shown": shown,
        "last_error": last_error,
        "failures": claimed.failures if failures is None else failures,
    }
    with database.write() as session:
        kept = leases.finish(session, claimed, values)
        if kept and not claimed.samples_only:
            count(
                session,
                claimed.user_id,
                claimed.problem,
                values["outcome"],
                claimed.submitted_at,
                values["cpu_ms"],
            )
        elif kept:
            practice.note(
                session,
                claimed.user_id,
                claimed.problem,
                claimed.framework,
                claimed.exploration,
                shown,
            )
            certificates.note(session, claimed.user_id, claimed.exploration, shown)
        return kept


def end_cancelled(database: Database, claimed: Claim) -> bool:
    """Ends a run that its learner cancelled, when the worker has stopped; False when nobody did.

    Cancelling took the lease: its attempt is one further than the worker's, unless a worker claimed
    the cancelled row.
    """
    with database.write() as session:
        row = session.get(Submission, claimed.id)
        if row is None or row.state != State.RUNNING or not row.cancelled:
            return False
        attempt = claimed.attempt if claimed.cancelled else claimed.attempt + 1
        lease = replace(claimed, attempt=attempt)
        return leases.finish(session, lease, {"outcome": CANCELLED})


def _of_verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "digest": verdict.digest,
        "outcome": str(verdict.verdict),
        "score": verdict.score,
        "max_score": verdict.max_score,
        "cpu_ms": verdict.cpu_ms,
        "verdict": verdict.to_json(),
        "behaviour": verdict.behaviour,
    }


def retry(database: Database, claimed: Claim, error: str, pause: float) -> bool:
    """Queues it again after a failure of the judge; False when the lease was lost."""
    with database.write() as session:
        return leases.retry(session, claimed, error, pause)


def give_back(database: Database, claimed: Claim, error: str, pause: float) -> bool:
    """Queues it again without counting a failure; False when the lease was lost."""
    with database.write() as session:
        return leases.give_back(session, claimed, error, pause)


def remove_sample_runs(database: Database, keep: float) -> int:
    """Removes the sample runs that ended more than `keep` seconds ago; returns how many."""
    with database.read() as session:
        old = (
            Submission.samples_only,
            Submission.state == State.DONE,
            Submission.judged_at < clock(session) - timedelta(seconds=keep),
        )
        if session.scalar(select(Submission.id).where(*old).limit(1)) is None:
            return 0
    with database.write() as session:
        return cast(CursorResult[Any], session.execute(delete(Submission).where(*old))).rowcount


def sign_of_life(
    database: Database,
    owner: str,
    room: str,
    last_error: str,
    numbers: dict[str, Any],
    forget: float,
) -> None:
    """Stores that this process judges, the state of its room, and what it has counted.

    Forgets processes that have been silent for `forget` seconds.
    """
    with database.write() as session:
        moment = clock(session)
        session.merge(
            WorkerSeen(
                owner=owner, seen_at=moment, room=room, last_error=last_error, numbers=numbers
            )
        )
        session.execute(
            delete(WorkerSeen).where(WorkerSeen.seen_at < moment - timedelta(seconds=forget))
        )


def sign_off(database: Database, owner: str) -> None:
    """Stores that this process has stopped judging."""
    with database.write() as session:
        session.execute(delete(WorkerSeen).where(WorkerSeen.owner == owner))


def room_trouble(session: Session, sweep: float, *, opening: bool = True) -> str | None:
    """Returns why nothing is judged at the moment; None while a room stands, or (if `opening` will
    do) is being opened. Workers report at each `sweep`, given in seconds.
    """
    fresh = clock(session) - timedelta(seconds=max(15.0, 4 * sweep))
    seen = session.scalars(select(WorkerSeen).where(WorkerSeen.seen_at > fresh)).all()
    if any(worker.room == "ready" or (opening and worker.room == "opening") for worker in seen):
        return None
    return seen[0].last_error or "the room is being opened" if seen else "no worker is running"
