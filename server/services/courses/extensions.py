"""Gives one learner more time for an assignment, and takes it back."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from grader.errors import UsageError
from server.lengths import checked
from server.messages import Message
from server.models.accounts import User
from server.models.courses import Assignment, Extension
from server.services import notices
from server.services.audit import note
from server.services.courses import passback_queue
from server.services.courses.assignments import REASON_LENGTH, read_minutes
from server.services.courses.timezones import on_the_wall, to_utc, zone_of


@dataclass(frozen=True, slots=True)
class NewDue:
    """The due time that a teacher gives one learner, as the form has it: on the clock of the
    course; and how many minutes more of a time limit. Both empty take an extension back.
    """

    due: str
    reason: str
    minutes: str = ""


def extend(
    session: Session, assignment: Assignment, user: User, change: NewDue, teacher: User
) -> None:
    """Stores another due time, audits it and tells the learner; scores follow it at once.

    Raises `UsageError`.
    """
    if not change.reason:
        raise UsageError(Message("Say why."))
    checked(Message("Reason"), change.reason, REASON_LENGTH)
    row = session.get(Extension, (assignment.id, user.id))
    was = _words(assignment, row)
    if change.due or change.minutes:
        row = _given(assignment, user, change, teacher)
        session.merge(row)
    elif row is not None:
        session.delete(row)
        row = None
    else:
        raise UsageError(Message("There is no extension to take back: name a date and time."))
    session.flush()
    passback_queue.look_again(session, assignment.id)
    until = _words(assignment, row)
    _audit(session, assignment, user, change, teacher, was, until)
    _tell(session, assignment, user, change, teacher, until)


def _given(assignment: Assignment, user: User, change: NewDue, teacher: User) -> Extension:
    due = assignment.due_at
    if change.due:
        due = to_utc(change.due, zone_of(assignment.course.zone), later=True)
        if due <= assignment.due_at:
            raise UsageError(Message("An extension must be later than the assignment is due."))
    more = read_minutes(change.minutes) if assignment.minutes else None
    return Extension(
        assignment_id=assignment.id,
        user_id=user.id,
        due_at=due,
        more_minutes=more or 0,
        reason=change.reason,
        by=teacher.id,
    )


def _words(assignment: Assignment, row: Extension | None) -> str | None:
    if row is None:
        return None
    zone = zone_of(assignment.course.zone)
    due = f"{on_the_wall(row.due_at, zone).replace('T', ' ')} {zone.key}"
    return f"{due}, +{row.more_minutes} min" if row.more_minutes else due


def _audit(
    session: Session,
    assignment: Assignment,
    user: User,
    change: NewDue,
    teacher: User,
    was: str | None,
    until: str | None,
) -> None:
    subject = Message("%(name)s, %(title)s", name=user.name, title=assignment.title)
    note(session, teacher.id, "extension", subject, change.reason, was=was, due=until)


def _tell(
    session: Session,
    assignment: Assignment,
    user: User,
    change: NewDue,
    teacher: User,
    until: str | None,
) -> None:
    values: dict[str, Any] = {
        "assignment": assignment.title,
        "assignment_id": assignment.id,
        "course_id": assignment.course_id,
        "reason": change.reason,
    }
    if until is not None:
        values["due"] = until
    kind = "extension_back" if until is None else "extension"
    notices.tell(session, user.id, kind, notices.actor(teacher), **values)
