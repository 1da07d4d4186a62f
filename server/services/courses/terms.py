"""What an assignment's terms allow, and what work on them is worth."""

from datetime import datetime

from sqlalchemy import bindparam, func, or_, select
from sqlalchemy.orm import Session

from grader.errors import SubmissionError
from grader.model import Outcome
from server.messages import Message, counted
from server.models.base import Utc, now
from server.models.courses import Assignment, AssignmentProblem, Course, Feedback, Late, Member
from server.models.submissions import Submission
from server.services.courses.timezones import days_late, zone_of
from server.services.jobs.lost_submissions import lost

JUDGE_ERROR = str(Outcome.JUDGE_ERROR)


def factor(assignment: Assignment, days: int) -> float:
    """The share of the points that work counts which is so many days late."""
    if not days or assignment.late == Late.NONE:
        return 1.0
    if assignment.late == Late.CUTOFF:
        return 0.0
    return max(0.0, 1 - days * assignment.late_percent / 100)


def lateness(assignment: Assignment, sent: datetime) -> int:
    """Days begun after the assignment was due at this moment."""
    return days_late(sent, assignment.due_at, zone_of(assignment.course.zone))


_GIVEN = (  # built once: that costs more than running it
    select(Assignment)
    .join(AssignmentProblem, AssignmentProblem.assignment_id == Assignment.id)
    .join(Course, Course.id == Assignment.course_id)
    .join(Member, Member.course_id == Course.id)
    .where(
        Member.user_id == bindparam("user_id"),
        Member.teaches.is_(False),
        Course.archived.is_(False),
    )
    .where(
        AssignmentProblem.slug == bindparam("slug"),
        Assignment.opens_at <= bindparam("moment", type_=Utc()),
    )
)


def given(session: Session, user_id: int, slug: str) -> list[Assignment]:
    """Open assignments that give this learner this problem."""
    return list(session.scalars(_GIVEN, {"user_id": user_id, "slug": slug, "moment": now()}))


def used(session: Session, user_id: int, slug: str, assignment: Assignment) -> int:
    """Attempts at a problem since the assignment opened. What the judge lost after all tries is one
    until an operator has looked at it: otherwise a source that breaks the judge would bring as many
    attempts as one likes.
    """
    own = (
        Submission.user_id == user_id,
        Submission.problem == slug,
        Submission.samples_only.is_(False),
    )
    counts = (
        Submission.submitted_at >= assignment.opens_at,
        or_(Submission.outcome.is_(None), Submission.outcome != JUDGE_ERROR, lost),
    )
    return session.scalar(select(func.count()).select_from(Submission).where(*own, *counts)) or 0


def hides(assignment: Assignment) -> bool:
    """Checks that the results of an assignment are not shown yet."""
    return assignment.feedback == Feedback.AFTER_DUE and assignment.due_at > now()


class LastAttempt(SubmissionError):
    """The last attempt that counts would be used; whoever sends it is asked first."""


def check_attempts(session: Session, user_id: int, slug: str, use_last: bool) -> None:
    """Raises `SubmissionError` when an assignment's attempts are used up, and `LastAttempt` when
    one is left and may not be used unasked. Called where the row is written: two at once cannot
    slip in.
    """
    for assignment in given(session, user_id, slug):
        over = assignment.late == Late.CUTOFF and now() > assignment.due_at
        if assignment.attempts is None or over:
            continue
        left = assignment.attempts - used(session, user_id, slug, assignment)
        if left <= 0:
            raise SubmissionError(_used_up(assignment.attempts, assignment.title))
        if left == 1 and not use_last:
            raise LastAttempt(
                Message(
                    "This is your last attempt that counts for '%(title)s'. Run samples costs"
                    " none.",
                    title=assignment.title,
                )
            )


def _used_up(attempts: int, title: str) -> Message:
    return counted(
        "The %(num)s attempt of '%(title)s' is used. Run samples still works; ask your"
        " teacher for more.",
        "All %(num)s attempts of '%(title)s' are used. Run samples still works; ask"
        " your teacher for more.",
        attempts,
        title=title,
    )


def solution_closed(session: Session, user_id: int, slug: str) -> str:
    """The assignment that keeps the solution closed until it is due; empty when none does."""
    return next((a.title for a in given(session, user_id, slug) if a.due_at > now()), "")
