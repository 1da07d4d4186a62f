"""Leases: how a worker claims a job, keeps it, ends it or gives it back.

The reasons are in docs/design/leases.md.

Each claim counts the row's `attempt` up, and every later write names the attempt of its claim. So a
worker that was taken for dead can change nothing any more. The functions that take a `Session` are
part of the caller's transaction; those that take a `Database` are a transaction of their own.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, TypeVar, cast

from sqlalchemy import (
    ColumnElement,
    CursorResult,
    Row,
    Select,
    String,
    Update,
    and_,
    bindparam,
    false,
    func,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy import cast as sql_cast
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session
from sqlalchemy.sql.dml import ReturningUpdate

from server.models.database import Database, clock, later
from server.models.leased import State
from server.services.jobs import owners
from server.services.jobs.kinds import JobKind
from server.services.jobs.rounds import statements, table_of

CLAIM_TRIES = 5  # when other workers claim what was chosen
LOST_WORKER = "the worker that had it is gone"
EXHAUSTED = "lost with its worker each time"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on one job. It ends with time, or when another worker claims the job."""

    kind: JobKind
    id: int
    attempt: int
    failures: int

    @property
    def last_attempt(self) -> bool:
        """Whether one more failure makes the job a dead letter."""
        return self.kind.attempts is not None and self.failures + 1 >= self.kind.attempts

    @property
    def exhausted(self) -> bool:
        """Whether the job has failed too often: it was lost with its worker each time."""
        return self.kind.attempts is not None and self.failures >= self.kind.attempts


def dead_lettered(kind: JobKind) -> ColumnElement[bool]:
    """Returns the condition on rows that ended because they failed too often."""
    if kind.attempts is None:
        return false()
    return and_(kind.table.state == State.DONE, kind.table.failures >= kind.attempts)


def next_round(session: Session, kind: JobKind, key: int) -> int:
    """Returns the round of a job that this fair key queues now."""
    return int(session.scalar(statements(kind).next_round, {"b_key": key}))


def waiting(database: Database, kind: JobKind) -> bool:
    """Checks whether a job could be claimed now."""
    with database.ask() as connection:
        return connection.scalar(statements(kind).any_due) is not None


def due(database: Database, kind: JobKind) -> list[int]:
    """Returns the jobs that could be claimed now, the next one first; at most a hundred."""
    with database.read() as session:
        return list(session.scalars(statements(kind).due))


def claim(
    database: Database,
    kind: JobKind,
    owner: str,
    read: Callable[[Session, Lease, Row[Any]], T],
    seconds: float | None = None,
) -> T | None:
    """Claims the next job, and returns what `read` makes of its row; None when nothing is due."""
    values = {"owner": owner, "seconds": kind.lease_s if seconds is None else seconds}
    for _ in range(CLAIM_TRIES):
        # on SQLite, looking for work must not keep others from writing
        if database.one_writer and not waiting(database, kind):
            return None
        try:
            with database.write() as session:
                row = session.execute(statements(kind).claim, values).one_or_none()
                return None if row is None else read(session, _lease(kind, row), row)
        except IntegrityError:  # PostgreSQL: another worker claimed a job of the same fair key
            continue
    return None


def _lease(kind: JobKind, row: Row[Any]) -> Lease:
    return Lease(kind, row.id, row.attempt, row.failures)


def renew(database: Database, kind: JobKind, held: Collection[Lease], seconds: float) -> None:
    """Extends these leases, except those that were lost."""
    if held:
        table = table_of(kind)
        pairs = [(lease.id, lease.attempt) for lease in held]
        mine = (tuple_(table.c.id, table.c.attempt).in_(pairs), table.c.state == State.RUNNING)
        with database.write() as session:
            session.execute(update(table).where(*mine).values(lease_until=later(seconds)))


def write(session: Session, lease: Lease, values: Mapping[str, Any]) -> bool:
    """Writes values to a job that goes on; False when the lease was lost."""
    return _fenced(session, lease, _held(lease.kind), values)


def finish(session: Session, lease: Lease, values: Mapping[str, Any]) -> bool:
    """Ends a job and stores its result; False when the lease was lost and nothing was written."""
    ended = {"state": State.DONE, "last_error": None, **_released(lease.kind), **values}
    return _fenced(session, lease, _ended(lease.kind), ended)


def retry(session: Session, lease: Lease, error: str, pause: float) -> bool:
    """Queues a job again after a failure. `pause` is in seconds, and doubles with each failure."""
    return _queue_again(session, lease, error, delay(lease, pause), lease.failures + 1)


def delay(lease: Lease, pause: float) -> float:
    """Returns the seconds before a retry: `pause` after the first failure, then twice as long."""
    doublings: float = 2.0 ** min(lease.failures, 30)
    return min(pause * doublings, lease.kind.longest_pause_s)


def give_back(session: Session, lease: Lease, error: str | None, pause: float = 0) -> bool:
    """Queues a job again without counting a failure; `error`: what the operator should read."""
    return _queue_again(session, lease, error, pause, lease.failures)


def _queue_again(
    session: Session, lease: Lease, error: str | None, pause: float, failures: int
) -> bool:
    values = {**queued(lease.kind), "failures": failures, "pause": pause}
    if error is not None:
        values["last_error"] = error
    return _fenced(session, lease, _delayed(lease.kind), values)


def queued(kind: JobKind) -> dict[str, Any]:
    """Returns the values of a row that is queued again."""
    return {"state": State.QUEUED, **_released(kind)}


def _released(kind: JobKind) -> dict[str, Any]:
    return {"lease_owner": None, "lease_until": None, **kind.progress}


# -------------------------------------------------------------------------------------------------
# fencing


def _fenced(session: Session, lease: Lease, statement: Update, values: Mapping[str, Any]) -> bool:
    """Changes the row of a lease, and notifies every process; False when the lease was lost."""
    parameters = {**values, "b_id": lease.id, "b_attempt": lease.attempt}
    if lease.kind.channel is not None and session.get_bind().dialect.name == "postgresql":
        notifying = _notifying(statement, lease.kind)
        return session.execute(notifying, parameters).one_or_none() is not None
    return cast(CursorResult[Any], session.execute(statement, parameters)).rowcount == 1


@cache
def _held(kind: JobKind) -> Update:
    table = table_of(kind)
    return update(table).where(
        table.c.id == bindparam("b_id"),
        table.c.state == State.RUNNING,
        table.c.attempt == bindparam("b_attempt"),
    )


@cache
def _ended(kind: JobKind) -> Update:
    values: dict[Any, Any] = {"not_before": None}
    return _held(kind).values(values | ({kind.ended_at: later(0)} if kind.ended_at else {}))


@cache
def _delayed(kind: JobKind) -> Update:
    return _held(kind).values(not_before=later(bindparam("pause")))


@cache
def _notifying(statement: Update, kind: JobKind) -> ReturningUpdate[Any]:
    number = sql_cast(table_of(kind).c.id, String)
    return statement.returning(func.pg_notify(kind.channel, number))


# -------------------------------------------------------------------------------------------------
# lost workers


def reclaim(database: Database, kind: JobKind, owner: str) -> int:
    """Queues again what workers that ended or fell silent had claimed; returns how many jobs.

    Each counts as a failure: the job may be what ended its worker.
    """
    table = kind.table
    with database.read() as session:
        names = session.scalars(_owners(kind)).all()
        if not names:  # nothing runs
            return 0
        lost = _lost(kind, names, owner, clock(session))
        if session.scalar(select(table.id).where(lost).limit(1)) is None:
            return 0
    values = {**queued(kind), "failures": table.failures + 1, "last_error": LOST_WORKER}
    with database.write() as session:
        result = session.execute(update(table).where(lost).values(values))
        return cast(CursorResult[Any], result).rowcount


@cache
def _owners(kind: JobKind) -> Select[str | None]:
    table = kind.table
    return select(table.lease_owner).where(table.state == State.RUNNING).distinct()


def _lost(
    kind: JobKind, names: Sequence[str | None], owner: str, now: datetime
) -> ColumnElement[bool]:
    """Returns the condition on rows whose lease ended, or whose owner ran on this host and ended.

    A process that ended on this host is known at once: nobody waits for its leases to run out.
    """
    table = kind.table
    running = table.state == State.RUNNING
    gone = owners.ended([name for name in names if name], owner)
    return and_(running, or_(table.lease_until < now, table.lease_owner.in_(gone)))
