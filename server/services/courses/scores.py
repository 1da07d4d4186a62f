"""Where each learner of a class stands: the best score on each problem of an assignment, by its
terms, and which of its lessons and steps of practice are done.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, or_, select
from sqlalchemy.orm import Session

from server.models.accounts import User
from server.models.courses import (
    Assignment,
    AssignmentItem,
    AssignmentProblem,
    Member,
    Override,
)
from server.models.submissions import CANCELLED, State, Submission
from server.services.courses import roster
from server.services.courses.terms import JUDGE_ERROR, factor, lateness
from server.services.deadlines import Deadline, deadline, of_learners
from server.services.reviews import completions
from server.services.statistics import ACCEPTED


@dataclass(frozen=True, slots=True)
class Cell:
    """A learner's standing on one problem, or on an item. `score` is None before the first verdict,
    and before an item is done.
    """

    slug: str  # of an item: its key
    points: float
    attempts: int = 0
    raw: float | None = None  # points before anything is taken off for being late
    score: float | None = None
    days_late: int = 0
    solved: bool = False
    waiting: int = 0
    best: int | None = None  # the submission that counts
    at: datetime | None = None
    override: Override | None = None
    item: AssignmentItem | None = None
    parts: int = 0  # of an item: how many of its questions or its items of practice are right

    @property
    def state(self) -> str:
        """solved, tried, waiting or none."""
        return (
            "solved"
            if self.solved
            else "waiting"
            if self.waiting
            else "tried"
            if self.attempts or self.parts
            else "none"
        )


@dataclass(frozen=True, slots=True)
class Line:
    """One learner of the matrix."""

    user: User
    cells: tuple[Cell, ...]
    own: Deadline

    @property
    def total(self) -> float:
        """Over all items and problems."""
        return round(sum(cell.score or 0.0 for cell in self.cells), 2)


# of a submission: what its score follows from; a class has thousands, so no more is read
Short = Row[Any]
SHORT = tuple(
    getattr(Submission, name)
    for name in "id user_id problem submitted_at state outcome score max_score".split()
)


def learners(session: Session, course_id: int, search: str = "", group: str = "") -> Sequence[User]:
    """The learners of a course, by name; those whose name, or name in the roster, has `search` in
    it, and only those whom the roster has in a `group`.
    """
    query = (
        select(User)
        .join(Member, Member.user_id == User.id)
        .where(Member.course_id == course_id, Member.teaches.is_(False))
    )
    if search:
        of_name = roster.of_name(course_id, search)
        by_name = or_(User.folded.contains(search, autoescape=True), User.id.in_(of_name))
        query = query.where(by_name)
    query = query.where(User.id.in_(roster.of_group(course_id, group))) if group else query
    return session.scalars(query.order_by(User.folded)).all()


def matrix(session: Session, assignment: Assignment, users: Sequence[User]) -> list[Line]:
    """One line a learner: a cell for each item, then one for each problem."""
    slugs, ids = [p.slug for p in assignment.problems], [user.id for user in users]
    rows = session.execute(
        select(*SHORT)
        .where(
            Submission.user_id.in_(ids),
            Submission.problem.in_(slugs),
            Submission.samples_only.is_(False),
        )
        .where(Submission.submitted_at >= assignment.opens_at)
        .order_by(Submission.id)
    ).all()
    sent: dict[tuple[int, str], list[Short]] = {}
    for row in rows:
        sent.setdefault((row.user_id, row.problem), []).append(row)
    hand = {
        (o.user_id, o.slug): o
        for o in session.scalars(select(Override).where(Override.assignment_id == assignment.id))
    }
    of_class, extended = deadline(assignment), of_learners(session, assignment)
    done = completions.done(session, ids, assignment.items)
    begun = completions.begun(session, ids, assignment.items)

    def line(user: User) -> Line:
        own = extended.get(user.id, of_class)
        keys = [(user.id, item.key) for item in assignment.items]
        items = (
            item_cell(assignment, own, item, done.get(key), begun.get(key, 0), hand.get(key))
            for key, item in zip(keys, assignment.items, strict=True)
        )
        keys_of_problems = [(user.id, problem.slug) for problem in assignment.problems]
        cells = (
            cell(assignment, own, problem, sent.get(key, []), hand.get(key))
            for key, problem in zip(keys_of_problems, assignment.problems, strict=True)
        )
        return Line(user, (*items, *cells), own)

    return [line(user) for user in users]


def item_cell(
    assignment: Assignment,
    own: Deadline,
    item: AssignmentItem,
    at: datetime | None,
    parts: int,
    override: Override | None = None,
) -> Cell:
    """What an item counts that was done at a moment. What was done before the assignment began is
    in time.
    """
    days = lateness(assignment, own, at) if at is not None else 0
    raw = item.points if at is not None else None
    score = None if raw is None else round(raw * factor(assignment, days), 2)
    return Cell(
        item.key,
        item.points,
        raw=raw,
        score=override.score if override is not None else score,
        days_late=days,
        solved=at is not None,
        at=at,
        override=override,
        item=item,
        parts=parts,
    )


def _counts(row: Short) -> bool:
    """Whether a submission is an attempt; a cancelled one is if cases of it were shown."""
    if row.outcome == CANCELLED and row.state == State.DONE:
        return bool(row.max_score)
    return bool(row.outcome != JUDGE_ERROR)


def cell(
    assignment: Assignment,
    own: Deadline,
    problem: AssignmentProblem,
    rows: Sequence[Short],
    override: Override | None = None,
) -> Cell:
    """The best of a learner's submissions to a problem, in the order in which they were sent."""
    slug, points = problem.slug, problem.points
    whole = [row for row in rows if _counts(row) and row.submitted_at >= own.begins_at]
    counted = whole[: assignment.attempts]
    best, most_raw = None, -1.0
    for row in counted:
        if row.state != State.DONE or row.score is None:
            continue
        raw = points * row.score / row.max_score if row.max_score else 0.0
        # what was sent before counts as much, and was no later: a flood costs a comparison each
        if raw <= most_raw:
            continue
        most_raw = raw
        days = lateness(assignment, own, row.submitted_at)
        candidate = (raw * factor(assignment, days), raw, days, row)
        best = candidate if best is None or candidate[0] > best[0] else best
    solved = any(row.outcome == ACCEPTED for row in counted)
    waiting = sum(row.state != State.DONE for row in counted)
    if best is None:
        score = None if override is None else override.score
        return Cell(slug, points, len(counted), None, score, 0, solved, waiting, override=override)
    score, raw, days, row = best
    value = round(score, 2) if override is None else override.score
    return Cell(
        slug,
        points,
        len(counted),
        round(raw, 2),
        value,
        days,
        solved,
        waiting,
        row.id,
        row.submitted_at,
        override,
    )
