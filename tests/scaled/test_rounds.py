"""To find out whose turn it is, nothing is sorted and no table is read whole. (How long it takes:
`python -m tests.scaled.rounds`.)
"""

import re
from collections.abc import Iterator

import pytest

pytest.importorskip("psycopg", reason="the group `scale` is not installed")

from sqlalchemy import func, select

from benchmarks import queries
from server.models.database import Database
from server.models.submissions import State, Submission
from server.services.jobs import leases
from server.services.jobs.kinds import SUBMISSIONS
from server.services.jobs.rounds import statements
from tests.scaled.rounds import databases, fill, measure

WAITING = 2000
STEPS = {
    "take up": (statements(SUBMISSIONS).claim, {"owner": "host:1:a", "seconds": 30}),
    "due": (statements(SUBMISSIONS).due, {}),
    "send": (statements(SUBMISSIONS).next_round, {"b_key": 5}),
}


@pytest.fixture(scope="module")
def filled() -> Iterator[dict[str, Database]]:
    with databases() as found:
        for database in found.values():
            fill(database, WAITING)
        yield found


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("kind", ["SQLite", "PostgreSQL"])
def test_nothing_is_sorted_or_read_whole(filled: dict[str, Database], kind: str, step: str) -> None:
    database = filled[kind]
    with queries.watched(database) as seen, database.read() as session:
        session.execute(*STEPS[step])  # and taken back
    ((statement, sent),) = [
        (written, sent)
        for written, (_, sent) in seen.statements.items()
        if "submissions" in written
    ]
    if kind == "SQLite":
        with database.engine.connect() as connection:
            plan = [
                row.detail
                for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", sent)
            ]
        whole = re.compile(r"SCAN (submissions|waiting|running|latest)$|TEMP B-TREE")
        assert [line for line in plan if whole.search(line)] == []
    else:
        plan = queries.plan(database, statement, sent)
        assert ("Sort" in plan, "Seq Scan on submissions" in plan) == (False, False), plan


@pytest.mark.parametrize("kind", ["SQLite", "PostgreSQL"])
def test_all_of_them_are_taken_up_in_their_turn(filled: dict[str, Database], kind: str) -> None:
    database = filled[kind]
    measure(database, WAITING, 40)
    with database.read() as session:
        waiting = [State.QUEUED]
        assert (
            session.scalar(
                select(func.count()).select_from(Submission).where(Submission.state.in_(waiting))
            )
            == WAITING
        )
        assert (
            session.scalar(select(func.min(Submission.round)).where(Submission.state.in_(waiting)))
            == 0
        )
        due = session.execute(
            select(Submission.round, Submission.id).where(
                Submission.id.in_(leases.due(database, SUBMISSIONS))
            )
        ).all()
    assert sorted(due) == due
