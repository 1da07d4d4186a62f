"""Counts over submissions: what a learner has solved, how often a problem is accepted, who was
fastest.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import (
    CompoundSelect,
    Select,
    Subquery,
    and_,
    bindparam,
    exists,
    func,
    select,
    tuple_,
    union_all,
)
from sqlalchemy.orm import Session

from grader.problem import Problem
from server.models.accounts import User
from server.models.submissions import GaveUp, ProblemCount, Rank, State, Submission, Tries
from server.services import tries
from server.services.feedback import withheld, withheld_pairs

ACCEPTED, counted = tries.ACCEPTED, tries.counted
ROWS = 100

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


def _known() -> Subquery:
    """Each learner's line of each problem, as that learner may know it: those with results that are
    withheld are counted anew, without them.
    """
    pairs = withheld_pairs()
    touched = exists().where(pairs.c.user_id == Tries.user_id, pairs.c.problem == Tries.problem)
    columns = (
        Tries.user_id,
        Tries.problem,
        Tries.judged,
        Tries.accepted,
        Tries.solved_at,
        Tries.cpu_ms,
    )
    whole = select(*columns).where(~touched, Tries.judged > 0)
    own = (Submission.user_id == pairs.c.user_id, Submission.problem == pairs.c.problem)
    part = select(Submission.user_id, Submission.problem, *tries.summary).join(pairs, and_(*own))
    part = part.where(Submission.submitted_at < pairs.c.since, *counted).group_by(
        Submission.user_id, Submission.problem
    )
    return union_all(whole, part).subquery()


def standings(session: Session, user_id: int) -> dict[str, Standing]:
    """By slug; problems never tried are not in it."""
    rows = session.execute(_standings(), {"b_user": user_id})
    return {row.problem: Standing(row.solved_at is not None, *row[1:]) for row in rows}


@cache  # building a statement costs more than running it
def _standings() -> Select[Any]:
    known = _known()
    columns = (known.c.problem, known.c.judged, known.c.solved_at)
    return select(*columns).where(known.c.user_id == bindparam("b_user"))


def following(
    problems: Sequence[Problem], slug: str, mine: Mapping[str, Standing]
) -> Problem | None:
    """What to go on with after a solved problem: the next in teaching order, and then from the
    beginning, that is not solved while all that it builds on is. None when nothing is left.
    """
    known = [p.slug for p in problems]
    solved = {name for name, standing in mine.items() if standing.solved} | {slug}
    at = known.index(slug) + 1 if slug in known else 0
    left = [p for p in (*problems[at:], *problems[:at]) if p.slug not in solved]
    ready = [p for p in left if not set(p.requires) & set(known) - solved]
    return next(iter(ready or left), None)


def rates(session: Session) -> dict[str, Rate]:
    """By slug, over every learner."""
    sums = func.sum(ProblemCount.accepted), func.sum(ProblemCount.judged)
    totals = {
        slug: (good, count)
        for slug, good, count in session.execute(
            select(ProblemCount.problem, *sums).group_by(ProblemCount.problem)
        )
    }
    for slug, good, count in session.execute(_withheld_sums()):
        before = totals.get(slug, (0, 0))
        totals[slug] = (before[0] - good, before[1] - count)
    return {
        slug: Rate(int(good), int(count)) for slug, (good, count) in totals.items() if count > 0
    }


@cache
def _withheld_sums() -> Select[Any]:
    pairs = withheld_pairs()
    own = (
        Submission.user_id == pairs.c.user_id,
        Submission.problem == pairs.c.problem,
        Submission.submitted_at >= pairs.c.since,
    )
    return (
        select(Submission.problem, tries.summary[1], func.count())
        .join(pairs, and_(*own))
        .where(*counted)
        .group_by(Submission.problem)
    )


def fastest(session: Session, slug: str, user_id: int | None) -> list[Place]:
    """Accepted submissions of a problem by CPU time, the best of each learner who chose to be
    shown.
    """
    known = _known()
    best = (
        select(User.id, User.display_name, known.c.cpu_ms)
        .join(known, known.c.user_id == User.id)
        .where(
            known.c.problem == slug,
            known.c.cpu_ms.is_not(None),
            User.display_name.is_not(None),
            User.active,
        )
        .order_by(known.c.cpu_ms)
        .limit(ROWS)
        .subquery()
    )
    own = (
        Submission.user_id == best.c.id,
        Submission.problem == slug,
        Submission.outcome == ACCEPTED,
        Submission.cpu_ms == best.c.cpu_ms,
    )
    at = func.min(Submission.submitted_at)
    rows = session.execute(
        select(best.c.id, best.c.display_name, best.c.cpu_ms, at, func.min(Submission.framework))
        .join(Submission, and_(*own))
        .where(*shown)
        .group_by(best.c.id, best.c.display_name, best.c.cpu_ms)
        .order_by(best.c.cpu_ms, at)
    ).all()
    return [
        Place(name or "", 1, at, cpu or 0.0, framework, user == user_id)
        for user, name, cpu, at, framework in rows
    ]


def overall(session: Session, slugs: Collection[str], user_id: int | None) -> list[Place]:
    """Learners who chose to be shown: most solved first, then who was there earliest."""
    removed = [
        slug
        for slug in session.scalars(select(ProblemCount.problem).distinct())
        if slug not in slugs
    ]
    special = list(set(session.scalars(_special(), {"b_removed": removed})))
    asked = {"b_special": special, "b_slugs": list(slugs)}
    rows = [
        *session.execute(_ranked(), {"b_special": special}),
        *(session.execute(_ranked_anew(), asked) if special else ()),
    ]
    places = [Place(name or "", count, at, mine=user == user_id) for user, name, count, at in rows]
    return sorted(places, key=lambda place: (-place.solved, place.at))[:ROWS]


LISTED = (User.display_name.is_not(None), User.active)


@cache
def _special() -> CompoundSelect[Any]:
    """Whose rank is counted anew."""
    solved_removed = select(Tries.user_id).where(
        Tries.problem.in_(bindparam("b_removed", expanding=True)), Tries.solved_at.is_not(None)
    )
    return union_all(select(withheld_pairs().c.user_id), solved_removed)


@cache
def _ranked() -> Select[int, str | None, int, datetime | None]:
    return (
        select(User.id, User.display_name, Rank.solved, Rank.last_at)
        .join(Rank, Rank.user_id == User.id)
        .where(*LISTED, Rank.solved > 0, User.id.not_in(bindparam("b_special", expanding=True)))
        .order_by(Rank.solved.desc(), Rank.last_at)
        .limit(ROWS)
    )


@cache
def _ranked_anew() -> Select[int, str | None, int, datetime | None]:
    known = _known()
    return (
        select(User.id, User.display_name, func.count(), func.max(known.c.solved_at))
        .join(known, known.c.user_id == User.id)
        .where(
            *LISTED,
            known.c.user_id.in_(bindparam("b_special", expanding=True)),
            known.c.problem.in_(bindparam("b_slugs", expanding=True)),
            known.c.solved_at.is_not(None),
        )
        .group_by(User.id, User.display_name)
    )


def may_read_solution(session: Session, user_id: int, slug: str) -> bool:
    """After solving, or after giving up."""
    if session.get(GaveUp, (user_id, slug)) is not None:
        return True
    return accepted(session, user_id, slug) is not None


def accepted(
    session: Session, user_id: int, slug: str, framework: str | None = None
) -> Submission | None:
    """Returns the latest submission that was accepted, as its learner may know."""
    solved = select(Submission).where(
        Submission.user_id == user_id,
        Submission.problem == slug,
        Submission.outcome == ACCEPTED,
        *shown,
    )
    if framework is not None:
        solved = solved.where(Submission.framework == framework)
    return session.scalar(solved.order_by(Submission.id.desc()).limit(1))


def ahead(session: Session, submission: Submission) -> int:
    """How many submissions are running, or have their turn before this one."""
    earlier = tuple_(Submission.round, Submission.id) < tuple_(submission.round, submission.id)
    parts = [
        (Submission.state == State.RUNNING, Submission.id != submission.id),
        (Submission.state == State.QUEUED, earlier),
    ]
    return sum(session.scalar(select(func.count()).where(*part)) or 0 for part in parts)
