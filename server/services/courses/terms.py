"""What an assignment's terms allow, and what work on them is worth."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import and_, bindparam, func, or_, select
from sqlalchemy.orm import Session

from grader.errors import SubmissionError
from grader.model import Outcome
from server.messages import Message, counted
from server.models.accounts import User
from server.models.base import Utc, now
from server.models.courses import Assignment, AssignmentProblem, Course, Late, Member
from server.models.submissions import CANCELLED, State, Submission
from server.services.courses.timezones import days_late, on_the_wall, zone_of
from server.services.deadlines import Deadline, of_assignments
from server.services.jobs.lost_submissions import lost

JUDGE_ERROR = str(Outcome.JUDGE_ERROR)


def factor(assignment: Assignment, days: int) -> float:
    """The share of the points that work counts which is so many days late."""
    if not days or assignment.late == Late.NONE:
        return 1.0
    if assignment.late == Late.CUTOFF:
        return 0.0
    return max(0.0, 1 - days * assignment.late_percent / 100)


def lateness(assignment: Assignment, own: Deadline, sent: datetime) -> int:
    """Days begun at this moment after the assignment was due for a learner."""
    return days_late(sent, own.ends_at, zone_of(assignment.course.zone))


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


Given = tuple[Assignment, Deadline]  # to a learner, with the times of this learner


def given(session: Session, user_id: int, slug: str) -> list[Given]:
    """Open assignments that give this learner this problem, with the times of this learner."""
    assignments = session.scalars(_GIVEN, {"user_id": user_id, "slug": slug, "moment": now()})
    return of_assignments(session, user_id, assignments)


def used(session: Session, user_id: int, slug: str, own: Deadline) -> int:
    """Attempts at a problem since the assignment began for a learner. What the judge lost after all
    tries is one until an operator has looked at it: otherwise a source that breaks the judge would
    bring as many attempts as one likes. A cancelled run is one if cases of it were shown.
    """
    sent = (
        Submission.user_id == user_id,
        Submission.problem == slug,
        Submission.samples_only.is_(False),
    )
    judged = Submission.outcome.not_in((JUDGE_ERROR, CANCELLED))
    shown = and_(
        Submission.outcome == CANCELLED,
        or_(Submission.state != State.DONE, Submission.max_score > 0),
    )
    counts = (
        Submission.submitted_at >= own.begins_at,
        or_(Submission.outcome.is_(None), judged, shown, lost),
    )
    return session.scalar(select(func.count()).select_from(Submission).where(*sent, *counts)) or 0


def to_start(session: Session, user_id: int, slug: str) -> Given | None:
    """The assignment with a time limit that a learner must start before working on a problem."""
    return _to_start(given(session, user_id, slug))


def _to_start(assignments: Iterable[Given]) -> Given | None:
    return next((pair for pair in assignments if pair[1].to_start), None)


def check_started(session: Session, user_id: int, slug: str) -> None:
    """Raises `SubmissionError` while an assignment with a time limit is to be started first:
    nothing of its problem is run before, not even samples.
    """
    _check_started(given(session, user_id, slug))


def check(session: Session, user_id: int, slug: str, attempt: bool, use_last: bool) -> None:
    """Raises `SubmissionError` where a learner may not send this now: `check_started`, and for an
    attempt also when those of an assignment are used up, or `LastAttempt` when one is left and may
    not be used unasked. Called where the row is written: of two at once the second waits, and
    counts the first.
    """
    assignments = given(session, user_id, slug)
    _check_started(assignments)
    if attempt:
        _check_attempts(session, user_id, slug, assignments, use_last)


def _check_started(assignments: Iterable[Given]) -> None:
    waits = _to_start(assignments)
    if waits is not None:
        raise SubmissionError(
            Message(
                "'%(title)s' has a time limit. Open its problem in the browser and start it first.",
                code="assignment_not_started",
                title=waits[0].title,
            )
        )


def _time_is_over(assignment: Assignment, own: Deadline) -> Message:
    wall = on_the_wall(own.ends_at, zone_of(assignment.course.zone), seconds=own.to_the_second)
    return Message(
        "Your time for '%(title)s' ended at %(at)s. What you had sent by then counts. Run samples"
        " still works.",
        code="time_over",
        title=assignment.title,
        at=wall.replace("T", " "),
    )


class LastAttempt(SubmissionError):
    """The last attempt that counts would be used; whoever sends it is asked first."""

    def __init__(self, title: str, words: Message) -> None:
        super().__init__(words)
        self.title = title  # of the assignment


def _check_attempts(
    session: Session, user_id: int, slug: str, assignments: Iterable[Given], use_last: bool
) -> None:
    for assignment, own in assignments:
        over = assignment.late == Late.CUTOFF and now() > own.ends_at
        if over and own.due_at > now():
            raise SubmissionError(_time_is_over(assignment, own))
        if assignment.attempts is None or over:
            continue
        session.execute(select(User.id).where(User.id == user_id).with_for_update(key_share=True))
        left = assignment.attempts - used(session, user_id, slug, own)
        if left <= 0:
            raise SubmissionError(_used_up(assignment.attempts, assignment.title))
        if left == 1 and not use_last:
            raise LastAttempt(
                assignment.title,
                Message(
                    "This is your last attempt that counts for '%(title)s'. Run samples costs"
                    " none.",
                    code="last_attempt",
                    title=assignment.title,
                ),
            )


def _used_up(attempts: int, title: str) -> Message:
    return counted(
        "The %(num)s attempt of '%(title)s' is used. Run samples still works; ask your"
        " teacher for more.",
        "All %(num)s attempts of '%(title)s' are used. Run samples still works; ask"
        " your teacher for more.",
        attempts,
        code="no_attempts_left",
        title=title,
    )


def solution_closed(session: Session, user_id: int, slug: str) -> str:
    """The assignment that keeps the solution closed until it is due; empty when none does."""
    assignments = given(session, user_id, slug)
    return next((each.title for each, own in assignments if own.due_at > now()), "")
