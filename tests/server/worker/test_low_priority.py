"""Rejudging gives way to learners. (Between machines: tests/scaled/test_stack.py.)"""

import threading
import time
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import func, insert, select

from grader.cache import Cache
from grader.model import Framework, Outcome
from server.models.base import now
from server.models.database import Database
from server.models.submissions import State, Submission
from server.models.teaching import Rejudge, Rejudgement
from server.services import accounts, submissions
from server.web.context import NAME, Service
from server.worker.low_priority import GivingWay, LowPriorityGate
from server.worker.room import Core
from server.worker.threads import Worker
from tests.server.conftest import (
    FAKE,
    GOOD,
    SLUG,
    FakeRoom,
    MakeApp,
    fake_answers,
    fake_judge,
)

AGAIN = f"{GOOD}# once more\n"


@pytest.mark.parametrize(
    ("quiet", "patience", "opens"),
    [(True, 1000.0, [True, True]), (False, 1000.0, [False, False]), (False, 0.0, [True, True])],
    ids=["nothing waits", "a learner waits", "a learner waits, and so did this for long enough"],
)
def test_when_it_opens(quiet: bool, patience: float, opens: list[bool]) -> None:
    lane = LowPriorityGate(lambda: quiet, patience)
    assert [lane.open(), lane.open()] == opens


def test_after_its_turn_it_waits_again() -> None:
    lane = LowPriorityGate(lambda: False, 0.2)
    time.sleep(0.25)
    assert [lane.open(), lane.open()] == [True, False]


@pytest.mark.parametrize("chore", ["answers", "lessons", "practice"])
def test_what_a_new_server_computes_waits_between_two_programs_while_learners_do(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch, chore: str
) -> None:
    quiet, used = threading.Event(), list[str]()
    monkeypatch.setattr(Worker, "idle", lambda worker: quiet.is_set())
    monkeypatch.setattr("server.app.PAUSE_S", 1000.0)

    def compute(*arguments: Any) -> Any:
        room = arguments[-1]
        used.append(room.name)
        quiet.clear()
        used.append(room.name)
        return fake_answers(*arguments)

    core = replace(FAKE, shown_answers=compute, compute_lesson=compute, practice_items=compute)
    service: Service = make_app(core, work=False).extensions[NAME]
    (found,) = [each for each in service.worker.chores if each.name == chore]
    given = {"answers": "shown_answers", "lessons": "compute", "practice": "make"}[chore]
    (problem,) = [each for each in service.bank.problems() if each.slug == SLUG]
    thread = threading.Thread(target=getattr(found, given), args=(problem, FakeRoom()))
    thread.start()
    time.sleep(0.3)
    assert used == []
    quiet.set()
    until(lambda: len(used) == 1)
    time.sleep(0.3)
    assert used == ["fake"]
    quiet.set()
    thread.join(60)
    assert used == ["fake", "fake"]


def test_a_chore_goes_on_where_a_learner_waits_for_what_it_computes() -> None:
    values, begun = Cache[str, str](), threading.Event()
    room: Any = GivingWay(FakeRoom(), LowPriorityGate(lambda: False, 1000.0))  # type: ignore[arg-type]

    def compute() -> tuple[str, bool]:
        begun.set()
        return room.name, True

    chore = threading.Thread(target=values.get, args=("answers", compute), daemon=True)
    chore.start()
    begun.wait(60)
    time.sleep(0.3)
    assert chore.is_alive()  # it gives way while nobody asks
    learner = threading.Thread(target=values.get, args=("answers", compute), daemon=True)
    learner.start()
    learner.join(60)
    assert not learner.is_alive() and values.get("answers", compute) == "fake"


def rejudge(
    database: Database, user_id: int, digest: str, count: int, slug: str = SLUG, source: str = AGAIN
) -> None:
    """So many judged submissions, all of them to be judged again."""
    done = {
        "user_id": user_id,
        "problem": slug,
        "framework": "numpy",
        "source": source,
        "state": State.DONE,
        "judged_at": now(),
    }
    done |= {
        "digest": digest,
        "outcome": str(Outcome.ACCEPTED),
        "score": 1,
        "max_score": 1,
        "submitted_at": now(),
    }
    with database.write() as session:
        last = session.scalar(select(func.max(Submission.id))) or 0
        session.execute(insert(Submission), [done] * count)
        asked = Rejudge(problem=slug, digest=digest, reason="a case was added", asked_by=user_id)
        session.add(asked)
        session.flush()
        old = {
            "rejudge_id": asked.id,
            "judged_at": now(),
            "old_outcome": "accepted",
            "old_score": 1,
            "old_max": 1,
        }
        numbers = session.scalars(select(Submission.id).where(Submission.id > last))
        session.execute(
            insert(Rejudgement), [old | {"submission_id": number} for number in numbers]
        )


def rejudged(database: Database) -> int:
    with database.read() as session:
        return (
            session.scalar(
                select(func.count()).select_from(Rejudgement).where(Rejudgement.state == State.DONE)
            )
            or 0
        )


def until(seen: Any) -> None:
    end = time.monotonic() + 60
    while not seen():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_thousand_rejudged_delay_no_learner(make_app: MakeApp) -> None:
    """From a learner's first claim to the last verdict, no more is judged again than what had been
    begun already.
    """
    order: list[str] = []

    def judge(problem: Any, submission: Any, sandbox: Any, **options: Any) -> Any:
        order.append("again" if submission.source == AGAIN else "own")
        time.sleep(0.01)
        return fake_judge(problem, submission, sandbox, **options)

    service: Service = make_app(
        Core(FAKE.open_room, judge, fake_answers), work=False, workers=1
    ).extensions[NAME]
    problem = service.bank.get(SLUG)
    assert problem is not None
    with service.database.write() as session:
        lea, otto = (
            accounts.add_user(session, name, "", password_hash="none").id
            for name in ("lea", "otto")
        )
    rejudge(service.database, otto, problem.digest, 1000)
    service.worker.start()
    until(lambda: order.count("again") >= 5)
    with service.database.write() as session:
        numbers = [
            submissions.submit(session, lea, problem, Framework.NUMPY, GOOD)[0].id
            for _ in range(20)
        ]
    service.queue.put(numbers[0])

    def judged() -> bool:
        with service.database.read() as session:
            own = (Submission.id.in_(numbers), Submission.state == State.DONE)
            return session.scalar(select(func.count()).select_from(Submission).where(*own)) == len(
                numbers
            )

    until(judged)
    seen = list(order)
    first, last = seen.index("own"), len(seen) - seen[::-1].index("own")
    assert seen[first:last].count("again") <= 1
    before = rejudged(service.database)
    until(lambda: rejudged(service.database) > before + 5)  # and then it goes on
