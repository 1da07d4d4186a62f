"""What it costs to send and to take up a submission while very many wait, on SQLite and on
PostgreSQL: `python -m tests.scaled.rounds`.
"""

import argparse
import contextlib
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import insert, text

from grader.model import Framework, Outcome, Verdict
from grader.problem import load
from server.models import migrations
from server.models.accounts import User
from server.models.base import now
from server.models.database import Database, open_database
from server.models.submissions import State, Submission
from server.services import submission_queue, submissions
from tests.scaled.services import Postgres
from tests.scaled.stack import REPOSITORY, SLUG

EACH = 10  # submissions of a learner that wait
JUDGED = 20_000


def fill(database: Database, waiting: int, judged: int = JUDGED) -> None:
    """So many submissions, of a tenth as many learners, that wait for their turn, beside judged
    ones that PostgreSQL knows of.
    """
    learners = range(1, waiting // EACH + 1)
    person = {
        "role": "learner",
        "password_hash": "none",
        "session_key": "none",
        "active": True,
        "created_at": now(),
    }
    about = {"problem": SLUG, "framework": "numpy", "source": "x = 1", "submitted_at": now()}
    done = about | {"state": State.DONE, "outcome": str(Outcome.ACCEPTED), "judged_at": now()}
    with database.write() as session:
        session.execute(
            insert(User), [person | {"id": i, "name": f"u{i}", "folded": f"u{i}"} for i in learners]
        )
        session.execute(
            insert(Submission),
            [done | {"user_id": learners[i % len(learners)]} for i in range(judged)],
        )
    if not database.one_writer:
        with database.engine.connect().execution_options(
            isolation_level="AUTOCOMMIT"
        ) as connection:
            # as it does by itself; what follows it does not know yet
            connection.execute(text("VACUUM ANALYZE"))
    with database.write() as session:
        for turn in range(EACH):
            session.execute(
                insert(Submission),
                [about | {"user_id": i, "state": State.QUEUED, "round": turn} for i in learners],
            )


def measure(database: Database, waiting: int, times: int) -> dict[str, float]:
    """The p50 of each step in milliseconds, as a worker and a learner take it."""
    problem = load(REPOSITORY, SLUG)
    verdict = Verdict(
        SLUG, problem.digest, Framework.NUMPY, Outcome.ACCEPTED, 1, 1, "none", 0, (), (), ""
    )
    took: dict[str, list[float]] = {"send": [], "take up": [], "finish": []}
    for i in range(times):
        moments = [time.perf_counter()]
        with database.write() as session:
            submissions.submit(
                session, 1 + i * 7 % (waiting // EACH), problem, Framework.NUMPY, "x = 1"
            )
        moments.append(time.perf_counter())
        claimed = submission_queue.claim(database, "host:1:a", 30)
        moments.append(time.perf_counter())
        assert claimed is not None
        assert submission_queue.finish(database, claimed, verdict, {})
        moments.append(time.perf_counter())
        for name, began, ended in zip(took, moments, moments[1:], strict=False):
            took[name].append((ended - began) * 1000)
    return {name: statistics.median(found) for name, found in took.items()}


@contextlib.contextmanager
def databases() -> Iterator[dict[str, Database]]:
    """An empty one of each kind."""
    with contextlib.ExitStack() as closing:
        folder = closing.enter_context(tempfile.TemporaryDirectory(prefix="judge-turns-"))
        cluster = closing.enter_context(contextlib.closing(Postgres()))
        found = {
            "SQLite": open_database(f"sqlite:///{Path(folder) / 'judge.db'}"),
            "PostgreSQL": open_database(cluster.create("turns")),
        }
        for database in found.values():
            closing.callback(database.close)
            migrations.upgrade(database)
        yield found


def main() -> None:
    """Print a line for each database and length of the queue."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--waiting", type=int, nargs="*", default=[100, 10_000, 100_000])
    options.add_argument("--times", type=int, default=200)
    asked = options.parse_args()
    print("| database | waiting | send, p50 ms | take up | finish |\n|---|--:|--:|--:|--:|")
    for waiting in asked.waiting:
        with databases() as found:
            for name, database in found.items():
                fill(database, waiting)
                steps = measure(database, waiting, asked.times)
                print(
                    f"| {name} | {waiting:,} |"
                    f" {' | '.join(f'{ms:.2f}' for ms in steps.values())} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
