"""Removes from old submissions what nobody needs: the source, and the results of each case.

Verdicts, scores and dates stay. These submissions stay whole: a learner's best, fastest and latest
for each problem, all work for a course that is not archived, what is being rejudged, and what ended
in a judge error.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, exists, or_, select, update
from sqlalchemy.orm import aliased

from server.models.courses import Assignment, AssignmentProblem, Course, Member
from server.models.database import Database, clock
from server.models.submissions import State, Submission, Tries
from server.models.teaching import Rejudge, Rejudgement
from server.services.tries import ACCEPTED, counted

BATCH = 500
FORGOTTEN = ""  # the source of a row that was thinned; no learner's source is empty
GONE = "the source of this submission is no longer kept"


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many rows lost something."""

    submissions: int
    rejudged: int  # verdicts beside them, of rejudges that were closed


def retain(database: Database, days: int, *, dry: bool = False) -> Forgotten:
    """Thins what is older than so many days, a few hundred rows a transaction.

    The service may run meanwhile. `dry` only counts.
    """
    with database.read() as session:
        before = clock(session) - timedelta(days=days)
    return Forgotten(sum(_submissions(database, before, dry)), _rejudged(database, before, dry))


def _submissions(database: Database, before: datetime, dry: bool) -> Iterator[int]:
    last, ids = 0, [0]
    columns = (Submission.id, *(() if dry else (Submission.verdict,)))
    while ids:
        with database.write() as session:
            query = (
                select(*columns)
                .where(Submission.id > last, *_not_needed(before))
                .order_by(Submission.id)
                .limit(BATCH)
            )
            rows = session.execute(
                query if dry else query.with_for_update(of=Submission, skip_locked=True)
            ).all()
            if rows and not dry:
                thinned = [
                    {"b_id": row.id, "b_verdict": {**(row.verdict or {}), "cases": []}}
                    for row in rows
                ]
                session.execute(_THIN, thinned)
        ids = [row.id for row in rows]
        last = max(ids, default=0)
        yield len(ids)


EMPTY = {"verdict": None, "shown": None, "behaviour": None}
_table = Submission.__table__
_THIN = (
    update(_table)  # type: ignore[arg-type]
    .where(_table.c.id == bindparam("b_id"))
    .values(
        source=FORGOTTEN,
        verdict=bindparam("b_verdict", type_=_table.c.verdict.type),
        shown=None,
        behaviour=None,
        progress=None,
    )
)


def _not_needed(before: datetime) -> list[ColumnElement[bool]]:
    """Returns the conditions of an old submission that nobody needs in full."""
    other = aliased(Submission)
    same = (
        other.user_id == Submission.user_id,
        other.problem == Submission.problem,
        other.state == State.DONE,
        other.samples_only.is_(False),
    )
    theirs, ours = other.score * Submission.max_score, Submission.score * other.max_score
    better = exists().where(
        *same, or_(theirs > ours, and_(theirs == ours, other.id < Submission.id))
    )
    later = exists().where(*same, other.framework == Submission.framework, other.id > Submission.id)
    mine = (Tries.user_id == Submission.user_id, Tries.problem == Submission.problem)
    fastest = exists().where(
        *mine, Tries.cpu_ms == Submission.cpu_ms, Submission.outcome == ACCEPTED
    )
    waits = exists().where(
        Rejudgement.submission_id == Submission.id,
        Rejudgement.rejudge_id == Rejudge.id,
        Rejudge.state == "open",
    )
    old: list[ColumnElement[bool]] = [
        *counted,
        Submission.judged_at < before,
        Submission.source != FORGOTTEN,
    ]
    return [*old, better, later, ~fastest, ~waits, ~_of_a_class()]


def _of_a_class() -> ColumnElement[bool]:
    """Returns the condition of work for an assignment of a course that is not archived."""
    return exists().where(
        Member.user_id == Submission.user_id,
        Member.course_id == Course.id,
        Course.archived.is_(False),
        Assignment.course_id == Course.id,
        AssignmentProblem.assignment_id == Assignment.id,
        AssignmentProblem.slug == Submission.problem,
        Assignment.opens_at <= Submission.submitted_at,
    )


def _rejudged(database: Database, before: datetime, dry: bool) -> int:
    """Removes the verdicts of rejudges that were applied or discarded, and returns how many."""
    closed = select(Rejudge.id).where(Rejudge.state != "open", Rejudge.closed_at < before)
    which: list[Any] = [Rejudgement.rejudge_id.in_(closed), Rejudgement.verdict.is_not(None)]
    with database.write() as session:
        ids = session.scalars(select(Rejudgement.id).where(*which)).all()
        if ids and not dry:
            session.execute(update(Rejudgement).where(*which).values(**EMPTY))
    return len(ids)
