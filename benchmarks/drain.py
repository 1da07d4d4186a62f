"""Fills the queue of a scaled service, waits until it is empty, and measures the waits."""

import contextlib
import os
import shutil
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from benchmarks.processes import tree_cpu_ms
from grader.model import Framework
from grader.problem import load
from server.models.accounts import User
from server.models.submissions import State, Submission
from server.services import submissions
from server.settings import Settings
from server.worker.dispatch import CeleryQueue
from tests.scaled.services import until
from tests.scaled.stack import REPOSITORY, SLUG, Stack


def service_cpu_ms(running: Stack) -> tuple[float, float, float]:
    """Returns the processor time of the workers, of PostgreSQL and of Redis."""

    def of(program: Any) -> float:
        return tree_cpu_ms(program.process.pid) if program.process is not None else 0.0

    return sum(map(of, running.workers)), of(running.postgres), of(running.redis)


def enqueue(running: Stack, source: str, count: int) -> list[int]:
    """Queues so many submissions of all learners at once, and wakes a worker for each."""
    problem = load(Path(running.environment["JUDGE_BANK"]), SLUG)
    with running.database.write() as session:
        users = session.scalars(select(User.id).order_by(User.id)).all()
        rows = [
            submissions.submit(
                session, users[i % len(users)], problem, Framework.NUMPY, f"{source}# {i}\n"
            )[0].id
            for i in range(count)
        ]
    queue = CeleryQueue(Settings(broker_url=running.redis.url()))
    for number in rows:
        queue.put(number)
    return rows


def drained(running: Stack, numbers: list[int], seconds: float) -> tuple[int, float]:
    """Waits until all are judged, or the time is over.

    Returns how many are not, and the verdicts a second between the first and the last.
    """

    def left() -> int:
        with running.database.read() as session:
            open_ = (Submission.id.in_(numbers), Submission.state != State.DONE)
            return session.scalar(select(func.count()).select_from(Submission).where(*open_)) or 0

    with contextlib.suppress(AssertionError):
        # each look takes processor time from the workers
        until(lambda: left() == 0, seconds, "not everything is judged", pause=0.5)
    with running.database.read() as session:
        moments = sorted(
            m
            for m in session.scalars(select(Submission.judged_at).where(Submission.id.in_(numbers)))
            if m
        )
    return len(numbers) - len(moments), (len(moments) - 1) / max(
        1e-9, (moments[-1] - moments[0]).total_seconds()
    )


def best(running: Stack, source: str, count: int, repeats: int = 3) -> float:
    """Returns verdicts a second, the best of a few times: other programs use the machine too."""
    return max(drained(running, enqueue(running, source, count), 600)[1] for _ in range(repeats))


def waits(running: Stack, numbers: list[int]) -> tuple[float, float, float]:
    """Returns the mean wait in seconds, the longest mean wait of a learner, and the longest wait.

    The last two are multiples of the first.
    """
    with running.database.read() as session:
        rows = session.execute(
            select(Submission.user_id, Submission.submitted_at, Submission.judged_at).where(
                Submission.id.in_(numbers)
            )
        )
        by_learner: dict[int, list[float]] = defaultdict(list)
        for user, sent, judged in rows:
            assert judged is not None
            by_learner[user].append((judged - sent).total_seconds())
    every = [wait for of_one in by_learner.values() for wait in of_one]
    mean = statistics.fmean(every)
    return (
        mean,
        max(statistics.fmean(of_one) for of_one in by_learner.values()) / mean,
        max(every) / mean,
    )


@contextlib.contextmanager
def one_problem() -> Iterator[Path]:
    """Makes a bank of one problem, for every service that the block starts."""
    with tempfile.TemporaryDirectory(prefix="judge-bank-") as folder:
        for name in ("problems", "reference"):
            shutil.copytree(REPOSITORY / name / SLUG, Path(folder) / name / SLUG)
        previous = os.environ.get("JUDGE_BANK")
        os.environ["JUDGE_BANK"] = folder
        try:
            yield Path(folder)
        finally:
            del os.environ["JUDGE_BANK"]
            os.environ.update({"JUDGE_BANK": previous} if previous else {})
