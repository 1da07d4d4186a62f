"""What a request needs of the running service, and the database session that belongs to it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from flask import current_app, g
from sqlalchemy.orm import Session

from grader.problem import Problem
from server.models.accounts import User
from server.models.database import Database
from server.services.courses import groups
from server.services.lessons.shelf import Lessons
from server.services.problems.bank import Bank
from server.services.waking.hub import Hub
from server.settings import Settings
from server.worker.threads import Worker
from server.worker.wakeups import Wakeups

NAME = "judge"


@dataclass(frozen=True, slots=True)
class Service:
    """The parts of one process, put together by `create_app`."""

    settings: Settings
    database: Database
    bank: Bank
    lessons: Lessons
    hub: Hub
    queue: Wakeups
    worker: Worker
    wake_chores: Callable[[], None]
    secret: str


def service() -> Service:
    """The service of the current application."""
    return cast(Service, current_app.extensions[NAME])


def reading() -> Session:
    """Returns the request's session for reading, opened at first use and closed at its end."""
    if "reading" not in g:
        g.reading = Session(service().database.engine, expire_on_commit=False)
    return cast(Session, g.reading)


def stop_reading(error: BaseException | None = None) -> None:
    """Give the connection back: at the end of a request, and before waiting for something that
    another session will write.
    """
    session = g.pop("reading", None)
    if session is not None:
        session.close()


def wake_chores() -> None:
    """Tells the worker that there is another job than a submission."""
    service().wake_chores()


def bank_changed() -> None:
    """After a version is committed: the bank of this process looks again, and its worker computes
    the samples.
    """
    service().bank.look_again()
    wake_chores()


def diagnose_again(slug: str, before: Problem | None, user: User) -> bool:
    """Judges again what no mistake explained before a new version.

    Returns whether there is anything to judge; the result is applied on the page of rejudging.
    """
    running = service()
    begun = groups.judge_unexplained(running.database, running.bank, slug, before, user)
    if begun:
        wake_chores()
    return begun
