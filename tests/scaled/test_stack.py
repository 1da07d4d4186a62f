"""One service for three tests, since starting it costs more than what they ask of it. Each begins
with what the one before left, and with a worker that judges.

What instructors ask for, where Celery's workers carry it out: verify and publish through gunicorn,
judge what was published on a machine that has never seen it, rejudge, and go on when the worker
that verified is killed. Rejudging gives way to learners. Backup and restore as docs/running.md has
them: another PostgreSQL, another Redis, the same secrets; nothing is missing.
"""

import json
import os
import shutil
import signal
import subprocess
import urllib.request
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select

from grader.model import Framework
from grader.problem import load
from grader.sandbox import SandboxPool

pytest.importorskip("celery", reason="the group `scale` is not installed")

from server.models.accounts import Role, User
from server.models.base import Base
from server.models.submissions import State, Submission
from server.models.teaching import Rejudge, Rejudgement, VerifyRun
from server.services import accounts, rejudging, submissions
from server.services.jobs.kinds import REJUDGEMENTS
from server.services.problems import files, published
from server.settings import Settings
from server.worker.dispatch import CeleryQueue
from tests.scaled.chaos import sources, without_times
from tests.scaled.services import PASSWORD as POSTGRES_PASSWORD
from tests.scaled.services import USER, Postgres, postgres_programs, until
from tests.scaled.stack import PASSWORD, REPOSITORY, Program, Stack, judged, stack
from tests.scaled.stack import SLUG as SHIPPED
from tests.server.instructors import FIT, SLUG, UNFIT, zip_of
from tests.server.worker.test_low_priority import rejudge, rejudged

ONE_KEY = '    yield Case("one key", inputs=qkv(rng, 4, 1, 5, 3), note="The bias is log 1 = 0.")\n'
SECOND = FIT | {"problems/cases.py": FIT["problems/cases.py"].rstrip() + "\n" + ONE_KEY}
RIGHT = FIT["reference/numpy.py"]
SQUEEZED = RIGHT.replace(
    "scores = q @ k.T / math.sqrt(q.shape[-1])",
    "scores = np.squeeze(q @ k.T) / math.sqrt(q.shape[-1])",
)

CHANGES = {"workers"}  # signs of life of processes that are gone


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One problem of the bank, as it is."""
    found = tmp_path_factory.mktemp("scaled") / "bank"
    for folder in ("problems", "reference"):
        shutil.copytree(REPOSITORY / folder / SHIPPED, found / folder / SHIPPED)
    return found


@pytest.fixture(scope="module")
def standing(bank: Path, sandbox: SandboxPool) -> Iterator[Stack]:
    """The service; its workers are the tests' own affair."""
    with stack(bank, workers=0) as found:
        yield found


def worker_of(running: Stack) -> Program:
    """The worker that the test before has left, or a new one; each is a machine of its own."""
    for worker in running.workers:
        if worker.process is not None and worker.process.poll() is None:
            return worker
    found = new_worker(running)
    running.ready(1)
    return found


def new_worker(running: Stack) -> Program:
    """One more worker, on a machine that has never seen what was published."""
    return running.worker(JUDGE_INSTANCE=str(running.folder / f"machine {len(running.workers)}"))


class Desk:
    """An instructor's program."""

    def __init__(self, running: Stack) -> None:
        self.running = running
        with running.database.write() as session:
            self.token = accounts.make_token(
                session, accounts.add_user(session, "terry", PASSWORD, Role.INSTRUCTOR), "test"
            )

    def send(self, content: dict[str, str]) -> dict[str, Any]:
        """Send the files; where the verification is watched."""
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/zip",
            "Accept": "application/json",
        }
        address = f"http://127.0.0.1:{self.running.port}/api/v1/drafts"
        asked = urllib.request.Request(address, zip_of(content).getvalue(), headers, method="POST")
        with urllib.request.urlopen(asked, timeout=40) as answer:
            return dict(json.load(answer))

    def verified(self, sent: dict[str, Any]) -> dict[str, Any]:
        """Its end."""
        found: dict[str, Any] = {}

        def done() -> bool:
            found.update(self.running.call(f"{sent['run']}?wait=20", self.token))
            return found["state"] == "done"

        until(done, 240, f"not verified\n{self.running.logs()}")
        return found

    def publish(self, content: dict[str, str]) -> int:
        """Verify and publish; the number of the version."""
        sent = self.send(content)
        report = self.verified(sent)
        assert report["fit"], f"{report}\n{self.running.logs()}"
        return int(
            self.running.call(f"/api/v1/drafts/{sent['draft']}/publish", self.token, {"note": "x"})[
                "number"
            ]
        )


def test_verify_publish_judge_rejudge(standing: Stack) -> None:
    first = worker_of(standing)
    desk = Desk(standing)
    report = desk.verified(desk.send(UNFIT))
    assert (report["fit"], "survives" in report["report"]["findings"][0]["text"]) == (
        False,
        True,
    )
    assert desk.publish(FIT) == 1
    numbers = [_submit(standing, 0, RIGHT), _submit(standing, 1, SQUEEZED)]
    assert [row.outcome for row in _rows(standing, numbers)] == ["accepted", "accepted"], (
        standing.logs()
    )

    sent = desk.send(SECOND)  # and the worker that takes it up is killed
    until(lambda: _state(standing, sent) == State.RUNNING, 60, "nobody verifies")
    first.all(signal.SIGKILL)
    second = new_worker(standing)
    report = desk.verified(sent)
    assert report["fit"], f"{report}\n{standing.logs()}"
    assert (
        standing.call(f"/api/v1/drafts/{sent['draft']}/publish", desk.token, {"note": "one key"})[
            "number"
        ]
        == 2
    )

    with standing.database.write() as session:
        version = published.latest(session)[SLUG]
        problem = files.read(files.fetch(session, version.files), SLUG)
        # who may judge again what anybody sent
        user = accounts.add_user(session, "ada", PASSWORD, Role.ADMIN)
        judged_again = rejudging.begin(session, problem, numbers, "One key was never tried.", user)
    until(lambda: _ready(standing, judged_again.id), 120, f"not judged again\n{standing.logs()}")
    with standing.database.write() as session:
        assert rejudging.apply(session, session.get_one(Rejudge, judged_again.id), user) == 1
    assert [row.outcome for row in _rows(standing, numbers)] == ["accepted", "runtime_error"]
    assert second.process is not None
    assert second.process.poll() is None


def _submit(running: Stack, learner: int, source: str) -> int:
    body = {"problem": SLUG, "framework": "numpy", "source": source}
    return int(running.call("/api/v1/submissions", running.tokens[learner], body)["id"])


def _rows(running: Stack, numbers: list[int]) -> list[Submission]:
    found = judged(running, numbers, 90)
    return [found[number] for number in numbers]


def _state(running: Stack, sent: dict[str, Any]) -> str:
    with running.database.read() as session:
        return session.get_one(VerifyRun, int(sent["run"].rsplit("/", 1)[1])).state


def _ready(running: Stack, rejudge: int) -> bool:
    with running.database.read() as session:
        return rejudging.progress(session, rejudge).ready


def test_a_thousand_rejudged_delay_no_learner(standing: Stack, bank: Path) -> None:
    """From the moment at which 20 submissions wait to the last verdict, each worker takes up no
    more than it had begun already.
    """
    worker_of(standing)
    problem = load(bank, SHIPPED)
    source = problem.references[Framework.NUMPY]
    with standing.database.read() as session:
        users = session.scalars(
            select(User.id).where(User.role == Role.LEARNER).order_by(User.id)
        ).all()
    before = rejudged(standing.database)
    rejudge(standing.database, users[0], problem.digest, 1000, SHIPPED, source)
    until(lambda: rejudged(standing.database) >= before + 5, 90, standing.logs())
    with standing.database.write() as session:
        numbers = [
            submissions.submit(session, user, problem, Framework.NUMPY, source)[0].id
            for user in users
            for _ in range(5)
        ]
    queue = CeleryQueue(Settings(broker_url=standing.redis.url()))
    for number in numbers:
        queue.put(number)
    rows = judged(standing, numbers, 90)
    assert [row.outcome for row in rows.values()] == ["accepted"] * len(numbers), standing.logs()
    with standing.database.read() as session:
        first = session.scalars(
            select(Submission.submitted_at).where(Submission.id.in_(numbers))
        ).all()
        leases = session.scalars(
            select(Rejudgement.lease_until).where(Rejudgement.lease_until.is_not(None))
        ).all()
    begun = [until_ - timedelta(seconds=REJUDGEMENTS.lease_s) for until_ in leases if until_]
    last = max(row.judged_at for row in rows.values() if row.judged_at)
    assert sum(max(first) < moment < last for moment in begun) <= 2
    before = rejudged(standing.database)
    until(lambda: rejudged(standing.database) > before + 5, 90, "it does not go on")
    with standing.database.write() as session:  # the next test needs no more of them
        session.execute(delete(Rejudgement).where(Rejudgement.state == State.QUEUED))


def run(program: str, *words: str) -> None:
    """One of PostgreSQL's programs."""
    done = subprocess.run(
        [str(postgres_programs() / program), *words],
        env=os.environ | {"PGPASSWORD": POSTGRES_PASSWORD},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def address(postgres: Postgres) -> list[str]:
    return ["-h", "127.0.0.1", "-p", str(postgres.port), "-U", USER]


def content(running: Stack) -> dict[str, list[tuple[object, ...]]]:
    tables = [table for table in Base.metadata.sorted_tables if table.name not in CHANGES]
    with running.database.engine.connect() as connection:
        return {
            t.name: [tuple(row) for row in connection.execute(select(t).order_by(*t.primary_key))]
            for t in tables
        }


def test_nothing_is_missing(standing: Stack, bank: Path, tmp_path: Path) -> None:
    first, dump, home = standing, tmp_path / "judge.dump", tmp_path / "grade"
    worker_of(first)
    right, _, wrong, _ = sources(bank)
    before = [first.submit(learner, source) for learner, source in enumerate((right, wrong))]
    found = judged(first, before, 60)
    verdicts = [without_times(found[number].verdict) for number in before if number in found]
    assert len(verdicts) == 2, first.logs()
    for worker in first.workers:
        worker.close()
    waiting = first.submit(0, wrong)  # accepted, and not judged any more
    run("pg_dump", *address(first.postgres), "-Fc", "-f", str(dump), "judge")
    home.mkdir()
    shutil.copy(Path(first.environment["GRADE_HOME"]) / "secret", home)
    known, tokens = content(first), first.tokens

    def restored(postgres: Postgres, learners: int) -> list[str]:
        postgres.create("judge")
        run(
            "pg_restore",
            *address(postgres),
            "--clean",
            "--if-exists",
            "--single-transaction",
            "-d",
            "judge",
            str(dump),
        )
        return tokens

    with stack(bank, workers=0, site=restored, GRADE_HOME=str(home)) as second:
        assert content(second) == known
        second.worker()
        assert (
            second.call(f"/api/v1/submissions/{before[0]}", tokens[0])["verdict"]["verdict"]
            == "accepted"
        )
        again = [
            second.submit(learner, source) for learner, source in enumerate((right, wrong), start=2)
        ]
        rows = judged(second, [waiting, *again], 90)
        assert [without_times(rows[number].verdict) for number in again] == verdicts, second.logs()
        assert rows[waiting].outcome == "wrong_answer"
        assert again[0] > waiting  # no number is given twice
