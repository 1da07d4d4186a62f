"""When an assignment begins and ends for one learner: with the class, later by an extension of
their own, or so many minutes from when they started it.

An extension never takes time away: where the class is due later than it, the class's time holds. A
time limit ends at the latest when the assignment is due.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, exists, or_, select
from sqlalchemy.orm import Session

from server.models.base import now
from server.models.courses import Assignment, Extension, Feedback, Start
from server.models.database import clock

Key = tuple[int, int]  # assignment and learner
Own = TypeVar("Own", Extension, Start)


@dataclass(frozen=True, slots=True)
class Deadline:
    """The times of an assignment for one learner."""

    begins_at: datetime  # what was sent earlier does not count
    ends_at: datetime  # what is sent later is late
    due_at: datetime  # results and solution are open from then on
    extended: bool = False  # more time than the class has
    minutes: int | None = None  # of the time limit, where there is one
    started_at: datetime | None = None

    @property
    def to_start(self) -> bool:
        """Whether the learner must start the assignment before anything counts."""
        return self.minutes is not None and self.started_at is None and self.due_at > now()

    @property
    def to_the_second(self) -> bool:
        """Whether a minute matters: the whole time is under an hour."""
        return self.minutes is not None and self.minutes < 60

    @property
    def minutes_now(self) -> int:
        """The minutes that somebody has who starts now."""
        left = int((self.due_at - now()).total_seconds() // 60)
        return min(self.minutes or 0, max(0, left))


def deadline(
    assignment: Assignment, extension: Extension | None = None, start: Start | None = None
) -> Deadline:
    """Returns the times of whoever has this extension, or none, and started then, or did not."""
    due, more = assignment.due_at, 0
    if extension is not None:
        due, more = max(due, extension.due_at), extension.more_minutes
    if assignment.minutes is None:
        return Deadline(assignment.opens_at, due, due, due > assignment.due_at)
    minutes, extended = assignment.minutes + more, due > assignment.due_at or more > 0
    if start is None:
        return Deadline(due, due, due, extended, minutes)
    ends = min(due, start.started_at + timedelta(minutes=minutes))
    return Deadline(start.started_at, ends, due, extended, minutes, start.started_at)


def of_assignments(
    session: Session, user_id: int, assignments: Iterable[Assignment]
) -> list[tuple[Assignment, Deadline]]:
    """Returns assignments with the times of one learner."""
    listed = list(assignments)
    extensions = _rows(session, Extension, listed, user_id)
    starts = _rows(session, Start, [each for each in listed if each.minutes], user_id)
    keys = [(each.id, user_id) for each in listed]
    return [
        (each, deadline(each, extensions.get(key), starts.get(key)))
        for each, key in zip(listed, keys, strict=True)
    ]


def of_learners(session: Session, assignment: Assignment) -> Mapping[int, Deadline]:
    """Returns the times of every learner for whom they are not the class's."""
    extensions = _rows(session, Extension, [assignment])
    starts = _rows(session, Start, [assignment] if assignment.minutes else [])
    return {
        key[1]: deadline(assignment, extensions.get(key), starts.get(key))
        for key in extensions.keys() | starts.keys()
    }


def _rows(
    session: Session,
    table: type[Own],
    assignments: Sequence[Assignment],
    user_id: int | None = None,
) -> Mapping[Key, Own]:
    if not assignments:
        return {}
    query = select(table).where(table.assignment_id.in_([each.id for each in assignments]))
    query = query if user_id is None else query.where(table.user_id == user_id)
    return {(row.assignment_id, row.user_id): row for row in session.scalars(query)}


def not_due(user_id: Any, moment: Any) -> ColumnElement[bool]:
    """Of a row of assignments: it is not due yet for this learner, given as a value or a column."""
    own = exists().where(
        Extension.assignment_id == Assignment.id,
        Extension.user_id == user_id,
        Extension.due_at > moment,
    )
    return or_(Assignment.due_at > moment, own)


def hides(assignment: Assignment, own: Deadline) -> bool:
    """Checks that the results of an assignment are not shown to a learner yet."""
    return assignment.feedback == Feedback.AFTER_DUE and own.due_at > now()


def start(session: Session, assignment: Assignment, user_id: int) -> None:
    """Starts a time limit for a learner; whoever has started already keeps that moment."""
    if of_assignments(session, user_id, [assignment])[0][1].to_start:
        moment = clock(session)  # that of submissions
        session.add(Start(assignment_id=assignment.id, user_id=user_id, started_at=moment))
