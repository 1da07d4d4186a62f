"""Which steps of a hint a learner has asked for; instructors see how many."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from server.models.database import clock, insert_once
from server.models.submissions import HintUse, Submission

LONGEST_NAME = 200  # of a mistake, as the table keeps it


def used(session: Session, user_id: int, problem: str) -> dict[str, int]:
    """By mistake: the last step that a learner has asked for."""
    query = (
        select(HintUse.mistake, func.max(HintUse.step))
        .where(HintUse.user_id == user_id, HintUse.problem == problem)
        .group_by(HintUse.mistake)
    )
    return dict(session.execute(query).all())


def record(session: Session, row: Submission, mistake: str, step: int) -> None:
    """Stores, once, that a step was asked for."""
    about = {
        "user_id": row.user_id,
        "problem": row.problem,
        "mistake": mistake[:LONGEST_NAME],
        "step": step,
        "submission_id": row.id,
        "at": clock(session),
    }
    insert_once(session, HintUse, about)


def of_learners(session: Session, users: Sequence[int], slug: str) -> dict[int, int]:
    """By learner: how many steps they have asked for in a problem, those that asked for any."""
    query = (
        select(HintUse.user_id, func.count())
        .where(HintUse.user_id.in_(users), HintUse.problem == slug)
        .group_by(HintUse.user_id)
    )
    return dict(session.execute(query).all())


def of_mistakes(session: Session, users: Sequence[int], slug: str) -> dict[str, int]:
    """By mistake: how many learners asked for a step of its hint."""
    query = (
        select(HintUse.mistake, func.count(func.distinct(HintUse.user_id)))
        .where(HintUse.user_id.in_(users), HintUse.problem == slug)
        .group_by(HintUse.mistake)
    )
    return dict(session.execute(query).all())
