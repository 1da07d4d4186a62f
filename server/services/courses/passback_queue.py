"""Scores for learning platforms: found by comparing the database, queued in it, and their status.

Nothing has to report a verdict here: a check compares each learner's score with what was queued
last. So a crash in between, a rejudge or a score set by hand cannot be missed. Scores that the
assignment does not show yet are not sent yet. `server.lti.passback` sends what is queued.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import select, union, update
from sqlalchemy.orm import Session

from server.models.accounts import User
from server.models.base import now
from server.models.courses import Assignment, Extension, Member
from server.models.database import Database, clock
from server.models.lessons import Completion
from server.models.lti import LtiGrade, LtiLine, LtiPerson
from server.models.submissions import State, Submission
from server.services.courses import scores
from server.services.deadlines import deadline, hides
from server.services.jobs import leases
from server.services.jobs.kinds import GRADES

OVERLAP = timedelta(seconds=60)  # a verdict's time is taken before it is committed


def of_line(line: LtiLine) -> Any:
    """Returns a query for the learners of the course who came from the line's platform."""
    member = (
        (Member.user_id == LtiPerson.user_id)
        & (Member.course_id == line.assignment.course_id)
        & Member.teaches.is_(False)
    )
    return (
        select(LtiPerson.user_id)
        .join(Member, member)
        .where(LtiPerson.issuer == line.platform.issuer)
    )


def changed(session: Session, line: LtiLine) -> Sequence[int]:
    """Returns the learners whose score may have changed since the line was last checked."""
    people = of_line(line)
    if line.looked_at is None:
        return session.scalars(people.distinct()).all()
    slugs, since = [p.slug for p in line.assignment.problems], line.looked_at - OVERLAP
    judged = select(Submission.user_id).where(
        Submission.user_id.in_(people),
        Submission.problem.in_(slugs),
        Submission.judged_at > since,
    )
    # who had an extension, and was not told the result until it ended
    ended = select(Extension.user_id).where(
        Extension.user_id.in_(people),
        Extension.assignment_id == line.assignment_id,
        Extension.due_at.between(since, now()),
    )
    done = select(Completion.user_id).where(
        Completion.user_id.in_(people),
        Completion.slug.in_([item.slug for item in line.assignment.items]),
        Completion.at > since,
    )
    return session.scalars(union(judged, ended, done)).all()


def _withheld(line: LtiLine) -> bool:
    """Checks that scores must not be sent yet. The line then counts as not checked, so that all
    of them are sent later.
    """
    assignment = line.assignment
    return hides(assignment, deadline(assignment)) or assignment.course.archived


def queue_changes(database: Database) -> int:
    """Queues each score that differs from what was queued last; returns how many."""
    with database.read() as session:
        open_lines = [line for line in session.scalars(select(LtiLine)) if not _withheld(line)]
        lines = [line.id for line in open_lines if line.looked_at is None or changed(session, line)]
    return sum(_queue_line(database, number) for number in lines)


def _queue_line(database: Database, line_id: int) -> int:
    with database.write() as session:
        line = session.scalar(
            select(LtiLine)
            .where(LtiLine.id == line_id)
            .with_for_update(skip_locked=True, of=LtiLine)
        )
        if line is None or _withheld(line):
            return 0
        moment = clock(session)
        users = session.scalars(select(User).where(User.id.in_(changed(session, line)))).all()
        known = {
            grade.user_id: grade
            for grade in session.scalars(select(LtiGrade).where(LtiGrade.line_id == line.id))
        }
        whole, count = line.assignment.whole, 0
        for row in scores.matrix(session, line.assignment, users) if whole else []:
            if hides(line.assignment, row.own):
                continue
            if row.user.id in known or any(cell.score is not None for cell in row.cells):
                count += queue_score(
                    session, line, known.get(row.user.id), row.user.id, row.total, whole
                )
        line.looked_at = moment
        return count


def queue_score(
    session: Session, line: LtiLine, grade: LtiGrade | None, user: int, score: float, maximum: float
) -> bool:
    """Queues a learner's score, in place of the `grade` sent before; False when it is the same."""
    if grade is not None and (grade.score, grade.maximum) == (score, maximum):
        return False
    values: dict[str, Any] = {
        "score": score,
        "maximum": maximum,
        "round": leases.next_round(session, GRADES, line.id),
    }
    if grade is None:
        session.add(LtiGrade(line_id=line.id, user_id=user, **values))
        return True
    # a worker that sends the old score now loses its lease
    values |= {**leases.queued(GRADES), "attempt": grade.attempt + 1, "not_before": None}
    for name, value in values.items():
        setattr(grade, name, value)
    return True


def look_again(session: Session, assignment_id: int) -> None:
    """Requests a check of all learners: the terms changed, or a score was set by hand."""
    session.execute(
        update(LtiLine).where(LtiLine.assignment_id == assignment_id).values(looked_at=None)
    )


def send_now(session: Session, assignment_id: int) -> None:
    """Makes every queued score of an assignment due now."""
    lines = select(LtiLine.id).where(LtiLine.assignment_id == assignment_id)
    session.execute(
        update(LtiGrade)
        .where(LtiGrade.line_id.in_(lines), LtiGrade.state == State.QUEUED)
        .values(not_before=None)
    )


@dataclass(frozen=True, slots=True)
class PassbackStatus:
    """How many scores of an assignment a platform has accepted."""

    platform: str
    url: str  # where the scores are sent
    accepted: int
    waiting: int
    failing: tuple[LtiGrade, ...]


def statuses(session: Session, assignment: Assignment) -> list[PassbackStatus]:
    """Returns the status of each platform's link to the assignment."""
    statuses = []
    for line in session.scalars(
        select(LtiLine).where(LtiLine.assignment_id == assignment.id).order_by(LtiLine.id)
    ):
        grades = session.scalars(
            select(LtiGrade).where(LtiGrade.line_id == line.id).order_by(LtiGrade.id)
        ).all()
        failing = tuple(grade for grade in grades if grade.failures)
        accepted = sum(grade.state == State.DONE for grade in grades)
        statuses.append(
            PassbackStatus(
                platform=line.platform.name,
                url=line.url,
                accepted=accepted,
                waiting=len(grades) - accepted - len(failing),
                failing=failing,
            )
        )
    return statuses
