"""Long polls of rows: waits for a verdict, or for the report of a verification.

While a request waits, it holds no connection of the database.
"""

from typing import NoReturn

from flask import abort
from sqlalchemy import bindparam, select

from server.messages import Message
from server.models.accounts import Role
from server.models.submissions import State, Submission
from server.models.teaching import VerifyRun
from server.services import accounts
from server.web.access import me
from server.web.context import Service, reading, service, stop_reading
from server.web.serving.waiting import Look, wait_for

_STATE = select(Submission.state, Submission.progress).where(
    Submission.id == bindparam("b_id"), Submission.user_id == bindparam("b_user")
)


def await_own(submission_id: int, user_id: int, seconds: float, seen: int | None = None) -> None:
    """Waits for the verdict or, when `seen` is given, more cases than that are judged."""
    if not seconds:
        return
    _await(submission_id, user_id, seconds, seen)


def await_sent(submission_id: int, user_id: int, seconds: float) -> bool:
    """Waits for the verdict of what this request has stored; False when too many wait already."""
    return _await(submission_id, user_id, seconds, None, submission_id)


def _await(
    submission_id: int, user_id: int, seconds: float, seen: int | None, stored: int | None = None
) -> bool:
    stop_reading()
    running = service()

    def look() -> bool | None:
        with running.database.ask() as connection:
            row = connection.execute(
                _STATE, {"b_id": submission_id, "b_user": user_id}
            ).one_or_none()
        if row is None or row.state == State.DONE:
            return True
        more = seen is not None and len(row.progress or []) > seen
        return more or None

    limit = running.settings.wait_limit
    return wait_for(running.hub, submission_id, user_id, min(seconds, limit), look, stored)


def await_run(run_id: int, seconds: float, any_change: bool = False) -> VerifyRun:
    """Returns the verification after at most `seconds`, sooner when it is done or, with
    `any_change`, has taken a step; 404 for another's.
    """
    run = _find_run(run_id)
    if run.asked_by != me().id and not accounts.at_least(me().role, Role.ADMIN):
        _no_run()
    if run.state == State.DONE or not seconds:
        return run
    before = (run.state, run.steps_done) if any_change else None
    running = service()
    stop_reading()
    look = _look_at_run(running, run_id, before)
    wait_for(running.hub, -run_id, me().id, min(seconds, running.settings.wait_limit), look)
    return _find_run(run_id)


def _look_at_run(running: Service, run_id: int, before: tuple[str, int] | None) -> Look:
    def look() -> bool | None:
        with running.database.read() as session:
            run = session.get(VerifyRun, run_id)
        if run is None or run.state == State.DONE:
            return True
        moved = before is not None and (run.state, run.steps_done) != before
        return moved or None

    return look


def _find_run(run_id: int) -> VerifyRun:
    return reading().get(VerifyRun, run_id) or _no_run()


def _no_run() -> NoReturn:
    abort(
        404,
        Message("You have asked for no verification of that number.", code="no_such_verification"),
    )
