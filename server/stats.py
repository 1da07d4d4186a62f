"""Counts over submissions: what a learner has solved, how often a problem is accepted, who was fastest."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from grader.model import Outcome
from server.db import GaveUp, State, Submission, User
from server.teach.feedback import withheld

ACCEPTED = str(Outcome.ACCEPTED)
ROWS = 100

counted = (Submission.state == State.DONE, Submission.trial.is_(False), Submission.outcome != str(Outcome.JUDGE_ERROR))
shown = (*counted, ~withheld())  # results that their learner may know


@dataclass(frozen=True, slots=True)
class Standing:
    """A learner's relation to one problem."""

    solved: bool
    attempts: int
    solved_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Rate:
    """How often a problem's submissions were accepted."""

    accepted: int
    judged: int

    @property
    def percent(self) -> int | None:
        """Rounded; None before the first submission."""
        return round(100 * self.accepted / self.judged) if self.judged else None


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a leaderboard. `name` is what its owner chose to be called there."""

    name: str
    solved: int
    at: datetime
    cpu_ms: float = 0.0
    framework: str = ""
    mine: bool = False


def standings(session: Session, user_id: int) -> dict[str, Standing]:
    """By slug; problems never tried are not in it."""
    rows = session.execute(
        select(
            Submission.problem,
            func.count(),
            func.min(case((Submission.outcome == ACCEPTED, Submission.submitted_at))),
        )
        .where(Submission.user_id == user_id, *shown)
        .group_by(Submission.problem)
    ).all()
    return {slug: Standing(at is not None, count, at) for slug, count, at in rows}


def rates(session: Session) -> dict[str, Rate]:
    """By slug, over every learner."""
    accepted = func.sum(case((Submission.outcome == ACCEPTED, 1), else_=0))
    rows = session.execute(select(Submission.problem, accepted, func.count()).where(*shown).group_by(Submission.problem)).all()
    return {slug: Rate(int(good), count) for slug, good, count in rows}


def fastest(session: Session, slug: str, user_id: int | None) -> list[Place]:
    """Accepted submissions of a problem by CPU time, the best of each learner who chose to be shown."""
    best = (
        select(Submission.user_id, func.min(Submission.cpu_ms).label("cpu_ms"))
        .where(Submission.problem == slug, Submission.outcome == ACCEPTED, *shown)
        .group_by(Submission.user_id)
        .subquery()
    )
    rows = session.execute(
        select(User.id, User.display_name, best.c.cpu_ms, func.min(Submission.submitted_at), func.min(Submission.framework))
        .join(User, User.id == best.c.user_id)
        .join(
            Submission,
            (Submission.user_id == best.c.user_id)
            & (Submission.cpu_ms == best.c.cpu_ms)
            & (Submission.problem == slug)
            & (Submission.outcome == ACCEPTED),
        )
        .where(User.display_name.is_not(None), User.active)
        .group_by(User.id, User.display_name, best.c.cpu_ms)
        .order_by(best.c.cpu_ms, func.min(Submission.submitted_at))
        .limit(ROWS)
    ).all()
    return [Place(name or "", 1, at, cpu or 0.0, framework, user == user_id) for user, name, cpu, at, framework in rows]


def overall(session: Session, slugs: Collection[str], user_id: int | None) -> list[Place]:
    """Learners who chose to be shown: most solved first, then who was there earliest."""
    first = (
        select(Submission.user_id, Submission.problem, func.min(Submission.submitted_at).label("at"))
        .where(Submission.outcome == ACCEPTED, Submission.problem.in_(list(slugs)), *shown)
        .group_by(Submission.user_id, Submission.problem)
        .subquery()
    )
    last = func.max(first.c.at)
    rows = session.execute(
        select(User.id, User.display_name, func.count(), last)
        .join(first, first.c.user_id == User.id)
        .where(User.display_name.is_not(None), User.active)
        .group_by(User.id, User.display_name)
        .order_by(func.count().desc(), last)
        .limit(ROWS)
    ).all()
    return [Place(name or "", count, at, mine=user == user_id) for user, name, count, at in rows]


def may_read_solution(session: Session, user_id: int, slug: str) -> bool:
    """After solving, or after giving up."""
    if session.get(GaveUp, (user_id, slug)) is not None:
        return True
    solved = select(Submission.id).where(Submission.user_id == user_id, Submission.problem == slug, Submission.outcome == ACCEPTED, *shown)
    return session.scalar(solved.limit(1)) is not None


def ahead(session: Session, submission: Submission) -> int:
    """How many submissions were queued or running before this one."""
    before = select(func.count()).where(Submission.state != State.DONE, Submission.id < submission.id)
    return session.scalar(before) or 0
