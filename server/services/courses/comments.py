"""Comments of teachers on submissions, and learners' requests to look at one again."""

from collections.abc import Sequence
from typing import Any, TypeVar

from sqlalchemy import Select, distinct, exists, func, select
from sqlalchemy.orm import Session, aliased

from grader.errors import UsageError
from server.messages import Message
from server.models.accounts import User
from server.models.courses import Assignment, AssignmentProblem, Comment, Member
from server.models.submissions import Submission
from server.services import notices
from server.services.courses.assignments import read_number
from server.services.courses.terms import given

LENGTH = 2000
MOST = 200  # comments on one submission
SHOWN = 100  # requests on a page
Rows = TypeVar("Rows", bound=Select[*tuple[Any, ...]])


def of(session: Session, submission_id: int) -> Sequence[Comment]:
    """The comments on a submission, the first one first."""
    query = select(Comment).where(Comment.submission_id == submission_id)
    return session.scalars(query.order_by(Comment.id).limit(MOST)).all()


def add(session: Session, row: Submission, teacher: User, text: str, line: str) -> None:
    """Adds a teacher's comment, on a line if one is named, and tells the learner.

    Raises `UsageError`.
    """
    comment = Comment(
        submission_id=row.id, by=teacher.id, text=_read(text), line=_read_line(line, row.source)
    )
    session.add(_fits(session, comment))
    by = notices.actor(teacher)
    notices.tell(session, row.user_id, "comment", by, number=row.id, problem=row.problem)


def ask(session: Session, row: Submission, text: str) -> None:
    """Adds the learner's request to look at a submission again; one at a time.

    Raises `UsageError`.
    """
    if not may_ask(session, row):
        raise UsageError(Message("You can ask for an assignment's submission, once it is judged."))
    if any(comment.asks for comment in _unanswered(of(session, row.id), row.user_id)):
        raise UsageError(Message("You have asked already; wait for the answer."))
    comment = Comment(submission_id=row.id, by=row.user_id, text=_read(text), asks=True)
    session.add(_fits(session, comment))


def may_ask(session: Session, row: Submission) -> bool:
    """Whether a teacher can answer: the submission is one of an assignment, and judged."""
    assignments = given(session, row.user_id, row.problem)
    whole = row.outcome is not None and not row.cancelled and not row.samples_only
    return whole and any(each.opens_at <= row.submitted_at for each, _ in assignments)


def _unanswered(comments: Sequence[Comment], learner_id: int) -> Sequence[Comment]:
    """What the learner wrote after the last word of a teacher."""
    last = max((i for i, c in enumerate(comments) if c.by != learner_id), default=-1)
    return comments[last + 1 :]


def _read(text: str) -> str:
    text = text.replace("\r\n", "\n").strip()  # a form sends two characters for an end of line
    if not text or len(text) > LENGTH:
        raise UsageError(Message("A comment has 1 to %(most)s characters.", most=LENGTH))
    return text


def _read_line(text: str, source: str) -> int | None:
    lines = len(source.removesuffix("\n").split("\n"))
    if not text.strip():
        return None
    line = read_number(text)
    if not 1 <= line <= lines:
        raise UsageError(Message("A line is a number from 1 to %(last)s.", last=str(lines)))
    return line


def _fits(session: Session, comment: Comment) -> Comment:
    if len(of(session, comment.submission_id)) >= MOST:
        raise UsageError(Message("This submission has too many comments already."))
    return comment


def requests(session: Session, assignment: Assignment) -> Sequence[Submission]:
    """The submissions of an assignment whose learners wait for an answer, the oldest first."""
    request = aliased(Comment)
    query = _waiting(select(Submission), request, assignment.course_id)
    query = query.where(Assignment.id == assignment.id)
    return session.scalars(query.order_by(request.id).limit(SHOWN)).all()


def counts(session: Session, course_id: int) -> dict[int, int]:
    """How many requests wait for an answer, by the assignments of a course that have some."""
    number = func.count(distinct(Submission.id))
    query = _waiting(select(Assignment.id, number), aliased(Comment), course_id)
    return dict(session.execute(query.group_by(Assignment.id)).all())


def _waiting(query: Rows, request: type[Comment], course_id: int) -> Rows:
    """Requests of a course's learners that no teacher has answered, with their submissions and the
    assignments that these count for.
    """
    later = aliased(Comment)
    answered = exists(later.id).where(
        later.submission_id == Submission.id, later.id > request.id, later.by != Submission.user_id
    )
    return (
        query.select_from(Submission)
        .join(request, request.submission_id == Submission.id)
        .join(Member, Member.user_id == Submission.user_id)
        .join(Assignment, Assignment.course_id == Member.course_id)
        .join(AssignmentProblem, AssignmentProblem.assignment_id == Assignment.id)
        .where(request.asks, ~answered, Member.course_id == course_id, Member.teaches.is_(False))
        .where(AssignmentProblem.slug == Submission.problem)
        .where(Submission.submitted_at >= Assignment.opens_at)
    )
