"""A learner's accepted solutions that are parts of the model."""

from collections.abc import Collection, Mapping

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from grader import model
from grader.capstone.parts import SLUGS
from grader.frameworks import has
from grader.problem import Problem
from server.models.submissions import Submission
from server.services import statistics
from server.services.problems.bank import Bank


def accepted(session: Session, user_id: int) -> dict[str, Submission]:
    """Returns the last accepted submission to each part's problem, of those whose verdict the
    learner may know.
    """
    last = (
        select(func.max(Submission.id))
        .where(
            Submission.user_id == user_id,
            Submission.problem.in_(SLUGS),
            Submission.outcome == statistics.ACCEPTED,
            *statistics.shown,
        )
        .group_by(Submission.problem)
    )
    rows = session.scalars(select(Submission).where(Submission.id.in_(last)))
    return {row.problem: row for row in rows}


def may_meet(session: Session, user_id: int, own: Collection[str]) -> bool:
    """May a learner's parts run with the references of the others?

    What runs in one room can read all that is in there, so only with solutions that are open to
    the learner.
    """
    return all(
        slug in own or statistics.may_read_solution(session, user_id, slug) for slug in SLUGS
    )


def sources(
    session: Session, user_id: int, numbers: Mapping[str, int]
) -> dict[str, model.Submission]:
    """Returns the sources of a learner's own accepted submissions, by slug."""
    query = select(Submission).where(
        Submission.id.in_(numbers.values()),
        Submission.user_id == user_id,
        Submission.problem.in_(SLUGS),
        Submission.outcome == statistics.ACCEPTED,
    )
    return {
        row.problem: model.Submission(model.Framework(row.framework), row.source)
        for row in session.scalars(query)
    }


def problems(bank: Bank) -> dict[str, Problem] | None:
    """Returns the problem of each part; None where the bank does not have them all, or the model
    cannot run, since PyTorch is not installed.
    """
    if not has(model.Framework.TORCH):
        return None
    parts = {slug: bank.get(slug) for slug in SLUGS}
    known = {slug: problem for slug, problem in parts.items() if problem is not None}
    complete = all(model.Framework.TORCH in problem.references for problem in known.values())
    return known if len(known) == len(SLUGS) and complete else None
