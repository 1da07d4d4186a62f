"""Failures that no known mistake explains, grouped by what the submissions do in public cases."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, func, select
from sqlalchemy.orm import Session, undefer

from grader.diagnosis import behaviour
from grader.errors import UsageError
from grader.problem import Problem
from server.messages import Message
from server.models.accounts import User
from server.models.database import Database
from server.models.submissions import Submission
from server.models.teaching import Rejudge
from server.services import rejudging
from server.services.courses.mistakes import Conditions
from server.services.problems.bank import Bank

MOST_LEARNERS = 1000  # the latest failures are grouped
SHOWN = 20  # groups on a page


@dataclass(frozen=True, slots=True)
class Group:
    """Learners whose submissions do the same, and the latest of these."""

    learners: int
    example: Submission


def unexplained(session: Session, where: Conditions) -> list[Group]:
    """Returns the groups of the latest unexplained failure of each learner, the largest first."""
    latest = (
        select(func.max(Submission.id).label("id"))
        .where(*where, Submission.behaviour.is_not(None), Submission.source != "")
        .group_by(Submission.user_id)
        .order_by(func.max(Submission.id).desc())
        .limit(MOST_LEARNERS)
        .subquery()
    )
    columns = Submission.id, Submission.framework, Submission.digest, Submission.behaviour
    rows = session.execute(
        select(*columns).join(latest, latest.c.id == Submission.id).order_by(Submission.id.desc())
    )
    largest = sorted(grouped(rows), key=len, reverse=True)[:SHOWN]
    return [Group(len(ids), _example(session, ids[0])) for ids in largest]


def grouped(rows: Iterable[Row[Any]]) -> list[Sequence[int]]:
    """Returns the numbers of submissions that do the same in one framework and one version.

    Numbers are compared by tolerance with those of the first of a group, and only where everything
    else is equal.
    """
    buckets: dict[tuple[str, str, str], list[tuple[behaviour.Behaviour, list[int]]]] = {}
    for row in rows:
        key = row.framework, row.digest, behaviour.form(row.behaviour)
        groups = buckets.setdefault(key, [])
        own = next((ids for first, ids in groups if behaviour.alike(first, row.behaviour)), None)
        if own is None:
            groups.append((row.behaviour, [row.id]))
        else:
            own.append(row.id)
    return [ids for groups in buckets.values() for _, ids in groups]


def _example(session: Session, number: int) -> Submission:
    return session.get_one(Submission, number, options=[undefer(Submission.shown)])


def judge_unexplained(
    database: Database, bank: Bank, slug: str, before: Problem | None, user: User
) -> bool:
    """Judges again what no mistake explained before a new version.

    Returns whether there is anything to judge; the result is applied on the page of rejudging.
    """
    problem = bank.get(slug)
    if problem is None:
        return False
    with database.write() as session:
        return diagnose_again(session, problem, before, user) is not None


def diagnose_again(
    session: Session, problem: Problem, before: Problem | None, user: User
) -> Rejudge | None:
    """Begins a rejudge of the unexplained failures where a version knows more mistakes than the one
    before; None where there is nothing to judge, or a rejudge of the problem is open.
    """
    earlier = {mistake.name for mistake in before.mistakes} if before else set()
    if not {mistake.name for mistake in problem.mistakes} - earlier:
        return None
    rows = rejudging.candidates(session, problem, "not explained", True, user)
    ids = [row.id for row in rows]
    try:
        return rejudging.begin(
            session, problem, ids, Message("The problem knows more mistakes."), user
        )
    except UsageError:  # nothing to judge, or one is open
        return None
