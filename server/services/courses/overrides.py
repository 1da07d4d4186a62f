"""Scores that a teacher sets by hand."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from grader.errors import UsageError
from server.lengths import checked
from server.messages import Message
from server.models.accounts import User
from server.models.courses import Assignment, Override
from server.services import notices
from server.services.audit import note
from server.services.courses import passback_queue
from server.services.courses.assignments import REASON_LENGTH, read_points


@dataclass(frozen=True, slots=True)
class SetScore:
    """A score that a teacher sets by hand; an empty one takes back what was set."""

    slug: str
    score: str
    reason: str


def override(
    session: Session, assignment: Assignment, user: User, change: SetScore, teacher: User
) -> None:
    """Sets a learner's score for a problem or an item, audits it and tells the learner.

    Raises `UsageError`.
    """
    slugs = [problem.slug for problem in assignment.problems]
    slugs += [item.key for item in assignment.items]
    if change.slug not in slugs or not change.reason:
        raise UsageError(Message("Choose something in the assignment, and say why."))
    checked(Message("Reason"), change.reason, REASON_LENGTH)
    own = (
        Override.assignment_id == assignment.id,
        Override.user_id == user.id,
        Override.slug == change.slug,
    )
    old = session.scalar(select(Override).where(*own))
    before = old.score if old else None
    session.execute(delete(Override).where(*own))
    score = read_points(change.score, 0.0) if change.score else None
    if score is not None:
        session.add(_row(assignment, user, change, score, teacher))
    passback_queue.look_again(session, assignment.id)
    _audit(session, assignment, user, change, before, teacher)
    _tell(session, assignment, user, change, score, teacher)


def _row(
    assignment: Assignment, user: User, change: SetScore, score: float, teacher: User
) -> Override:
    return Override(
        assignment_id=assignment.id,
        user_id=user.id,
        slug=change.slug,
        score=score,
        reason=change.reason,
        by=teacher.id,
    )


def _audit(
    session: Session,
    assignment: Assignment,
    user: User,
    change: SetScore,
    before: float | None,
    teacher: User,
) -> None:
    subject = Message(
        "%(name)s, %(problem)s in %(title)s",
        name=user.name,
        problem=change.slug,
        title=assignment.title,
    )
    values = {"was": before, "score": change.score or None}
    note(session, teacher.id, "override", subject, change.reason, **values)


def _tell(
    session: Session,
    assignment: Assignment,
    user: User,
    change: SetScore,
    score: float | None,
    teacher: User,
) -> None:
    values: dict[str, Any] = {
        "problem": change.slug,
        "assignment": assignment.title,
        "assignment_id": assignment.id,
        "course_id": assignment.course_id,
        "reason": change.reason,
    }
    if score is not None:
        values["score"] = f"{score:g}"
    kind = "score" if score is not None else "score_back"
    notices.tell(session, user.id, kind, notices.actor(teacher), **values)
