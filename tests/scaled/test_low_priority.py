"""Rejudging gives way to learners also where Celery's workers judge: a real stack."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from grader.model import Framework
from grader.problem import load
from grader.sandbox import SandboxPool

pytest.importorskip("celery", reason="the group `scale` is not installed")

from server.models.accounts import User
from server.models.submissions import Submission
from server.models.teaching import Rejudgement
from server.services import submissions
from server.services.jobs.kinds import REJUDGEMENTS
from server.settings import Settings
from server.worker.dispatch import CeleryQueue
from tests.scaled.services import until
from tests.scaled.stack import REPOSITORY, SLUG, judged, stack
from tests.server.worker.test_low_priority import rejudge, rejudged


def test_a_thousand_rejudged_delay_no_learner(tmp_path: Path, sandbox: SandboxPool) -> None:
    """From the moment at which 20 submissions wait to the last verdict, each worker takes up no
    more than it had begun already.
    """
    for folder in ("problems", "reference"):
        shutil.copytree(REPOSITORY / folder / SLUG, tmp_path / folder / SLUG)
    problem = load(tmp_path, SLUG)
    source = problem.references[Framework.NUMPY]
    with stack(tmp_path, workers=1) as running:
        with running.database.read() as session:
            users = session.scalars(select(User.id).order_by(User.id)).all()
        rejudge(running.database, users[0], problem.digest, 1000, SLUG, source)
        until(lambda: rejudged(running.database) >= 5, 90, running.logs())
        with running.database.write() as session:
            numbers = [
                submissions.submit(session, user, problem, Framework.NUMPY, source)[0].id
                for user in users
                for _ in range(5)
            ]
        queue = CeleryQueue(Settings(broker_url=running.redis.url()))
        for number in numbers:
            queue.put(number)
        rows = judged(running, numbers, 90)
        assert [row.outcome for row in rows.values()] == ["accepted"] * len(numbers), running.logs()
        with running.database.read() as session:
            first = session.scalars(
                select(Submission.submitted_at).where(Submission.id.in_(numbers))
            ).all()
            leases = session.scalars(
                select(Rejudgement.lease_until).where(Rejudgement.lease_until.is_not(None))
            ).all()
        begun = [until_ - timedelta(seconds=REJUDGEMENTS.lease_s) for until_ in leases if until_]
        last = max(row.judged_at for row in rows.values() if row.judged_at)
        assert sum(max(first) < moment < last for moment in begun) <= 2
        before = rejudged(running.database)
        until(lambda: rejudged(running.database) > before + 5, 90, "it does not go on")
