"""The items of problems, as the worker made them; a set that nobody opened yet is not made."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from grader.model import Framework
from grader.problem import Problem
from server.models.database import Database, clock
from server.models.practice import PracticeSet

Items = Sequence[Mapping[str, Any]]
AGAIN_AFTER = timedelta(minutes=5)
Key = tuple[str, str, str]  # slug, digest, framework


def find(session: Session, problem: Problem, framework: Framework) -> PracticeSet | None:
    """Returns the set of a version; None where nobody has asked for it."""
    return session.get(PracticeSet, (problem.slug, problem.digest, str(framework)))


def of_version(session: Session, key: Key) -> Items | None:
    """Returns the items of a version; None where they are not made."""
    row = session.get(PracticeSet, key)
    return row.items if row is not None else None


def want(database: Database, problem: Problem, framework: Framework) -> None:
    """Asks the worker to make a set that is not there, or that failed a while ago."""
    row = PracticeSet(slug=problem.slug, digest=problem.digest, framework=str(framework))
    try:
        with database.write() as session:
            known = find(session, problem, framework)
            if known is None:
                session.add(row)
            elif known.fault and known.at < clock(session) - AGAIN_AFTER:
                known.fault = ""
    except IntegrityError:  # asked for twice at once
        pass


def want_all(database: Database, problems: Iterable[Problem]) -> None:
    """Does the same for problems in each of their frameworks."""
    for problem in problems:
        for framework in problem.frameworks:
            want(database, problem, framework)


def wanted(session: Session) -> list[Key]:
    """Returns the sets that are to be made, the one that waits longest first."""
    query = (
        select(PracticeSet.slug, PracticeSet.digest, PracticeSet.framework)
        .where(PracticeSet.items.is_(None), PracticeSet.fault == "")
        .order_by(PracticeSet.at)
    )
    return [(row.slug, row.digest, row.framework) for row in session.execute(query)]


def store(session: Session, key: Key, items: Items | None, fault: str = "") -> None:
    """Keeps the items of a set, or why there are none."""
    slug, digest, framework = key
    session.execute(
        update(PracticeSet)
        .where(
            PracticeSet.slug == slug,
            PracticeSet.digest == digest,
            PracticeSet.framework == framework,
        )
        .values(items=None if items is None else list(items), fault=fault, at=clock(session))
    )
