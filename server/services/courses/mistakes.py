"""Which known mistakes are made, from the diagnoses: `14 of 30 forgot the scale`.

In an assignment, in a class, or by everybody.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, func, or_, select, union_all
from sqlalchemy.orm import Session, aliased

from server.models.base import now
from server.models.courses import Assignment, AssignmentProblem, Course, Member
from server.models.submissions import Submission
from server.services import statistics

# a verdict names at most three; those of version 1 have `diagnosis` only
NAMED = tuple(
    Submission.verdict[path].as_string()
    for path in (
        ("diagnosis", "mistake"),
        ("diagnoses", 1, "mistake"),
        ("diagnoses", 2, "mistake"),
    )
)
SHOWN = 200

Conditions = list[Any]


@dataclass(frozen=True, slots=True)
class Bar:
    """A mistake, and how many learners made it at least once."""

    mistake: str
    hint: str
    learners: int
    of: int  # learners who sent anything
    helped: int = 0  # learners who asked for a further step of its hint

    @property
    def percent(self) -> int:
        """For the length of the bar."""
        return round(100 * self.learners / self.of) if self.of else 0


def by_class(slug: str, users: Sequence[int], since: datetime) -> Conditions:
    """What these learners sent to a problem from a moment on."""
    return [
        Submission.problem == slug,
        Submission.user_id.in_(users),
        Submission.submitted_at >= since,
        *statistics.counted,
    ]


def by_all(slug: str) -> Conditions:
    """What anybody sent to a problem."""
    return [Submission.problem == slug, *statistics.counted]


def first_given(course: Course) -> dict[str, Assignment]:
    """By slug: the assignment of a course that gave a problem first; those that have opened, in the
    order of their opening.
    """
    first: dict[str, Assignment] = {}
    for assignment in sorted(course.assignments, key=lambda a: a.opens_at):
        if assignment.opens_at <= now():
            for problem in assignment.problems:
                first.setdefault(problem.slug, assignment)
    return first


def histogram(
    session: Session,
    where: Conditions,
    hints: Mapping[str, str],
    helped: Mapping[str, int] | None = None,
) -> list[Bar]:
    """The mistakes among these submissions, the most frequent first.

    `hints` and `helped` are by mistake: the hint, and how many learners asked for more of it.
    """
    count = func.count(func.distinct(Submission.user_id))
    total = session.scalar(select(count).where(*where)) or 0
    named = union_all(
        *(
            select(Submission.user_id, name.label("mistake")).where(*where, name.is_not(None))
            for name in NAMED
        )
    ).subquery()
    learners = func.count(func.distinct(named.c.user_id))
    rows = session.execute(select(named.c.mistake, learners).group_by(named.c.mistake))
    helped = helped or {}
    bars = [
        Bar(name, hints.get(name, ""), number, total, helped.get(name, 0)) for name, number in rows
    ]
    return sorted(bars, key=lambda bar: (-bar.learners, bar.mistake))


def _names(mistake: str) -> ColumnElement[bool]:
    """Submissions whose verdict names this mistake."""
    return or_(*(name == mistake for name in NAMED))


def examples(session: Session, where: Conditions, mistake: str) -> Sequence[Submission]:
    """The submissions behind a bar, the latest first."""
    query = (
        select(Submission)
        .where(*where, _names(mistake))
        .order_by(Submission.id.desc())
        .limit(SHOWN)
    )
    return session.scalars(query).all()


def taught(
    session: Session, teacher: int, where: Conditions, mistake: str
) -> list[tuple[Submission, int]]:
    """Those behind a bar that a teacher may read, with the assignment in which: sent by a learner
    of theirs since it opened.
    """
    teaches, learns = aliased(Member), aliased(Member)
    query = (
        select(Submission, func.min(Assignment.id))
        .join(AssignmentProblem, AssignmentProblem.slug == Submission.problem)
        .join(Assignment, Assignment.id == AssignmentProblem.assignment_id)
        .join(
            teaches,
            (teaches.course_id == Assignment.course_id)
            & (teaches.user_id == teacher)
            & teaches.teaches,
        )
        .join(
            learns,
            (learns.course_id == Assignment.course_id)
            & (learns.user_id == Submission.user_id)
            & learns.teaches.is_(False),
        )
        .where(*where, _names(mistake), Submission.submitted_at >= Assignment.opens_at)
    )
    rows = session.execute(
        query.group_by(Submission.id).order_by(Submission.id.desc()).limit(SHOWN)
    )
    return [(row, number) for row, number in rows]
