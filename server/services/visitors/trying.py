"""Sample runs of visitors.

They belong to one account, which is not active and has no password. The queue judges at most one
submission of an account at a time, so all visitors together take no more than one learner does, and
after a few waiting runs the next visitor is asked to come back.
"""

import secrets
from collections.abc import Callable, Sequence

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, undefer

from grader.errors import SubmissionError
from grader.model import Kind
from grader.problem import Problem
from server.messages import Message
from server.models.accounts import User
from server.models.database import Database
from server.models.submissions import State, Submission
from server.services import submissions
from server.services.submissions import NewSubmission

NAME = "visitors"  # as the list of accounts shows it
FOLDED = "-visitors"  # no name begins so: it can be neither taken nor signed in
NO_PASSWORD = "none"
MOST_WAITING = 20


def first_exercise(problems: Sequence[Problem]) -> Problem | None:
    """Returns the first problem that asks for a program."""
    return next((p for p in problems if p.kind is not Kind.VALUES), None)


def account(session: Session) -> int | None:
    """Returns the number of the visitors' account; None before the first run."""
    return session.scalar(select(User.id).where(User.folded == FOLDED))


def run(
    database: Database,
    problem: Problem,
    framework: str,
    source: str,
    source_limit: int,
    wake: Callable[[int], None],
) -> Submission:
    """Queues a sample run. Raises `SubmissionError`."""
    user_id = _made(database)
    with database.read() as session:
        waiting = select(func.count()).where(
            Submission.user_id == user_id, Submission.state != State.DONE
        )
        if (session.scalar(waiting) or 0) >= MOST_WAITING:
            raise SubmissionError(
                Message("Many visitors are trying this now. Try again in a minute, or sign up.")
            )
    sent = NewSubmission(user_id, problem, framework, source, samples_only=True)
    return submissions.accept(database, sent, source_limit, wake)


def find(session: Session, number: int) -> Submission | None:
    """Returns a visitor's run; whose it is, the caller knows."""
    own = (Submission.id == number, Submission.user_id == account(session))
    return session.scalar(select(Submission).where(*own).options(undefer(Submission.shown)))


def _made(database: Database) -> int:
    """The number of the account, which the first run makes."""
    with database.read() as session:
        known = account(session)
    if known is not None:
        return known
    row = User(
        name=NAME,
        folded=FOLDED,
        password_hash=NO_PASSWORD,
        session_key=secrets.token_urlsafe(16),
        active=False,
    )
    try:
        with database.write() as session:
            session.add(row)
            session.flush()
            return row.id
    except IntegrityError:  # two first visitors at once
        with database.read() as session:
            return session.scalars(select(User.id).where(User.folded == FOLDED)).one()
