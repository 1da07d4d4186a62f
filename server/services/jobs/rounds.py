"""The fair order of jobs: each joins a round when it is queued, and rounds are served in order.

The first job of a fair key (a learner, an instructor) joins the current round, each further one the
round after. The smallest round is next; within a round, the oldest job. So a learner who sends ten
submissions is served once a round like everybody else, and a newcomer waits for the rest of one
round. An index holds the order: finding the next job costs the same however many wait.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from sqlalchemy import (
    Select,
    String,
    Table,
    bindparam,
    exists,
    func,
    literal_column,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.sql.dml import ReturningUpdate
from sqlalchemy.sql.functions import Function
from sqlalchemy.sql.selectable import NamedFromClause

from server.models.database import later
from server.models.leased import State
from server.services.jobs.kinds import JobKind

# Literals, because a database chooses a partial index before it sees the values sent beside the
# statement.
_DONE, _QUEUED, _RUNNING = (
    literal_column(f"'{state}'", String) for state in (State.DONE, State.QUEUED, State.RUNNING)
)
DUE_LIMIT = 100

_Alias = NamedFromClause[Any]


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements of one kind of job. They are built once: building costs more than running."""

    current: Function[Any]  # the round that is being served
    next_round: Select[Any]  # the round of a job that the fair key `b_key` queues now
    due: Select[Any]  # jobs that could be claimed now, in order
    any_due: Select[Any]
    claim: ReturningUpdate[Any]  # takes the next job for `owner`, for `seconds`


def table_of(kind: JobKind) -> Table:
    """The table of a kind, for statements that are written once."""
    return cast(Table, kind.table.__table__)  # type: ignore[attr-defined]


@cache
def statements(kind: JobKind) -> Statements:
    """Builds the statements of a kind of job."""
    table = table_of(kind)
    waiting, running = table.alias("waiting"), table.alias("running")
    current = _current(waiting, running)
    in_order = _in_order(kind, waiting, running)
    return Statements(
        current=current,
        next_round=_next_round(kind, table.alias("latest"), current),
        due=in_order.limit(DUE_LIMIT),
        any_due=in_order.order_by(None).limit(1),
        claim=_claim(kind, table, in_order),
    )


def _current(waiting: _Alias, running: _Alias) -> Function[Any]:
    in_progress = select(func.max(running.c.round)).where(running.c.state == _RUNNING)
    first = (
        select(waiting.c.round)
        .where(waiting.c.state == _QUEUED)
        .order_by(waiting.c.round, waiting.c.id)
        .limit(1)
    )
    return func.coalesce(in_progress.scalar_subquery(), first.scalar_subquery(), 0)


def _next_round(kind: JobKind, latest: _Alias, current: Function[Any]) -> Select[Any]:
    own = (
        select(latest.c.round, latest.c.state)
        .where(latest.c[kind.fair_key] == bindparam("b_key"))
        .order_by(latest.c[kind.newest].desc())
        .limit(1)
        .subquery()
    )
    further = select(own.c.round + 1).where(own.c.state != _DONE).scalar_subquery()
    either = union_all(select(current.label("round")), select(further.label("round"))).subquery()
    return select(func.max(either.c.round))


def _in_order(kind: JobKind, waiting: _Alias, running: _Alias) -> Select[Any]:
    due = or_(waiting.c.not_before.is_(None), waiting.c.not_before <= later(0))
    query = select(waiting.c.id).where(waiting.c.state == _QUEUED, due)
    if kind.one_at_a_time:
        same = running.c[kind.fair_key] == waiting.c[kind.fair_key]
        query = query.where(~exists().where(same, running.c.state == _RUNNING))
    return query.order_by(waiting.c.round, waiting.c.id)


def _claim(kind: JobKind, table: Table, in_order: Select[Any]) -> ReturningUpdate[Any]:
    following = in_order.limit(1).with_for_update(skip_locked=True, key_share=True)
    names = ("id", "attempt", "failures", *kind.columns)
    return (
        update(table)
        .where(table.c.id == following.scalar_subquery())
        .values(
            state=State.RUNNING,
            attempt=table.c.attempt + 1,
            lease_owner=bindparam("owner"),
            lease_until=later(bindparam("seconds")),
            **kind.progress,
        )
        .returning(*(table.c[name] for name in names), later(0).label("claimed_at"))
    )
