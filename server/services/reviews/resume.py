"""Where a learner goes on: the problem and the lesson that they were at, else the next ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from grader.lessons import Lesson
from grader.problem import Problem
from server.models.lessons import QuestionAnswer
from server.models.submissions import Submission
from server.services import statistics
from server.services.statistics import Standing

LOOKED_AT = 40  # the latest submissions and answers


@dataclass(frozen=True, slots=True)
class Place:
    """A problem to go on with: begun before, or the next one. None when all are solved."""

    problem: Problem | None
    begun: bool


def problem(
    session: Session, user_id: int, problems: Sequence[Problem], mine: Mapping[str, Standing]
) -> Place:
    """Returns the problem that was tried last and is not solved, else what follows the last."""
    query = (
        select(Submission.problem)
        .where(Submission.user_id == user_id, Submission.exploration.is_(None))
        .order_by(Submission.id.desc())
        .limit(LOOKED_AT)
    )
    latest = list(session.scalars(query))
    known = {p.slug: p for p in problems}
    unsolved = [s for s in latest if s in known and not (s in mine and mine[s].solved)]
    if unsolved:
        return Place(known[unsolved[0]], True)
    solved = [slug for slug in latest if slug in known]
    after = solved[0] if solved else ""
    return Place(statistics.following(problems, after, mine), False)


def lesson(
    session: Session, user_id: int, lessons: Sequence[Lesson], right: Mapping[str, set[str]]
) -> Lesson | None:
    """Returns the lesson with questions left that was answered last, else the first of those."""
    query = (
        select(QuestionAnswer.lesson)
        .where(QuestionAnswer.user_id == user_id)
        .order_by(QuestionAnswer.at.desc())
        .limit(LOOKED_AT)
    )
    left = [each for each in lessons if len(right.get(each.slug, ())) < len(each.questions)]
    open_ones = {each.slug: each for each in left}
    latest = (open_ones[slug] for slug in session.scalars(query) if slug in open_ones)
    return next(latest, next(iter(left), None))
