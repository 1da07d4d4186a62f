"""A verification says that it goes on: a slow one is carried out once, and what a dead worker left
is taken up soon.
"""

import threading
import time
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import SQLAlchemyError

from grader.errors import ProblemError
from server.models.accounts import Role
from server.models.database import clock
from server.models.submissions import State
from server.models.teaching import VerifyRun
from server.services.jobs import leases
from server.services.jobs.execution import renewed
from server.services.jobs.kinds import VERIFICATIONS
from server.services.problems import verification_queue
from tests.server.conftest import FakeRoom, MakeApp, user_of
from tests.server.instructors import FIT, send_zip


@pytest.fixture
def database(make_app: MakeApp) -> Any:
    """A run that waits, and nobody who works."""
    app = make_app(work=False)
    teacher = user_of(app, "terry", Role.INSTRUCTOR)
    draft = send_zip(teacher, FIT)
    teacher.get(f"/teach/drafts/{draft}")
    assert teacher.post(f"/teach/drafts/{draft}/verify").status_code == 303
    return teacher.service.database


def test_a_slow_one_is_not_taken_up_again(database: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification_queue, "VERIFICATIONS", replace(VERIFICATIONS, lease_s=2.0))
    asked, over = [], threading.Event()

    def slow(*words: Any) -> Any:
        over.wait(60)
        raise ProblemError("nothing")

    claimed = verification_queue.claim(database, "a:1:x")
    assert claimed is not None
    worker = threading.Thread(
        target=verification_queue.carry_out, args=(database, claimed, FakeRoom(), 0, 1.0, slow)
    )
    worker.start()
    end = time.monotonic() + 5
    while time.monotonic() < end:  # more than two leases long
        leases.reclaim(database, VERIFICATIONS, "b:1:x")
        asked.append(verification_queue.claim(database, "b:1:x") is not None)
        time.sleep(0.1)
    over.set()
    worker.join()
    with database.read() as session:
        row = session.scalars(select(VerifyRun)).one()
    assert (set(asked), row.state, row.attempt, row.failures) == ({False}, State.DONE, 1, 0)


def test_what_nobody_holds_any_more_is_taken_up(database: Any) -> None:
    first = verification_queue.claim(database, "a:1:x")
    assert first is not None
    assert verification_queue.claim(database, "b:1:x") is None
    with database.write() as session:
        session.execute(update(VerifyRun).values(lease_until=clock(session)))
    assert leases.reclaim(database, VERIFICATIONS, "b:1:x") == 1
    second = verification_queue.claim(database, "b:1:x")
    assert second is not None
    assert (second.id, second.attempt, second.failures) == (first.id, 2, 1)


def test_a_renewal_that_fails_is_tried_again() -> None:
    times: list[float] = []

    def renew() -> None:
        times.append(time.monotonic())
        raise SQLAlchemyError("locked")

    with renewed(renew, 0.05):
        end = time.monotonic() + 30
        while len(times) < 3:
            assert time.monotonic() < end, "it gave up"
            time.sleep(0.01)
    count = len(times)
    time.sleep(0.2)
    assert len(times) == count
