"""The scaled service as processes: gunicorn, Celery workers, PostgreSQL, Redis, and learners who
send through the API.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from server.models import migrations
from server.models.accounts import Role
from server.models.database import Database, open_database
from server.models.submissions import Submission
from server.services import accounts
from server.services.problems.bank import Bank
from server.services.problems.published import Shelf
from tests.scaled.services import Postgres, Redis, Service, free_port, until

REPOSITORY = Path(__file__).parents[2]
SLUG = "scaled_dot_product_attention"
PASSWORD = "a password of a test"


class Program(Service):
    """One of our own programs: gunicorn or a worker."""

    def __init__(self, argv: list[str], environment: dict[str, str], log: Path) -> None:
        self.argv, self.environment, self.log = argv, environment, log

    def spawn(self) -> None:
        """Start it in a session of its own, so that all of it can be stopped or killed at once."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.argv,
                env=self.environment,
                cwd=REPOSITORY,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def all(self, number: int) -> None:
        """Send a signal to every process of it."""
        assert self.process is not None
        os.killpg(self.process.pid, number)
        if number == signal.SIGKILL:
            self.process.wait(30)

    def descendants(self) -> list[int]:
        """Every process below it, rooms and all."""
        assert self.process is not None
        return _below(self.process.pid)

    def close(self) -> None:
        """End it, gently first, and whatever it left behind."""
        if self.process is None:
            return
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGCONT)
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(20)
        with contextlib.suppress(ProcessLookupError):
            self.all(signal.SIGKILL)


def _below(pid: int) -> list[int]:
    try:
        children = [
            int(c)
            for t in Path(f"/proc/{pid}/task").iterdir()
            for c in (t / "children").read_text().split()
        ]
    except OSError:
        return []
    return [d for child in children for d in (child, *_below(child))]


@dataclass
class Stack:
    """Everything that runs, and how to speak to it."""

    postgres: Postgres
    redis: Redis
    database: Database
    environment: dict[str, str]
    folder: Path
    port: int
    web: Program
    workers: list[Program] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)

    def worker(self, *prefix: str, **environment: str) -> Program:
        """One more worker, started."""
        argv = [*prefix, sys.executable, "-m", "flask", "--app", "server", "worker"]
        found = Program(
            argv, self.environment | environment, self.folder / f"worker{len(self.workers)}.log"
        )
        found.spawn()
        self.workers.append(found)
        return found

    def call(
        self, path: str, token: str = "", body: Any = None, timeout: float = 40, key: str = ""
    ) -> Any:
        """A request with an answer in JSON. Raises `OSError` (an `HTTPError` is one) when it fails."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", method="POST" if body else "GET"
        )
        headers = {
            "Accept": "application/json",
            "Authorization": f"Bearer {token}" if token else "",
            "Idempotency-Key": key,
        }
        for name, value in headers.items():
            if value:
                request.add_header(name, value)
        data = json.dumps(body).encode() if body else None
        if data:
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, data, timeout=timeout) as answer:
            return json.load(answer)

    def submit(self, learner: int, source: str, key: str = "") -> int:
        """Send a submission; its number."""
        body = {"problem": SLUG, "framework": "numpy", "source": source}
        return int(self.call("/api/v1/submissions", self.tokens[learner], body, key=key)["id"])

    def row(self, number: int) -> Submission:
        """A submission as it is stored."""
        with self.database.read() as session:
            return session.get_one(Submission, number)

    def ready(self, workers: int, seconds: float = 90) -> None:
        """Wait until the site answers and so many workers have a room."""

        def seen() -> bool:
            try:
                self.call("/healthz", timeout=2)
            except OSError:
                return False
            from sqlalchemy import func, select

            from server.models.database import clock
            from server.models.submissions import WorkerSeen

            with self.database.read() as session:
                rooms = session.scalars(select(WorkerSeen).where(WorkerSeen.room == "ready")).all()
                moment = session.scalar(select(func.now())) and clock(session)
            return sum((moment - r.seen_at).total_seconds() < 3 for r in rooms) >= workers

        until(seen, seconds, f"no {workers} workers with a room; logs in {self.folder}", 0.25)

    def logs(self) -> str:
        """The last lines of every log, for a failed test."""
        return "\n".join(
            f"== {p.name}\n" + "\n".join(p.read_text(errors="replace").splitlines()[-15:])
            for p in self.folder.glob("*.log")
        )


def new_site(postgres: Postgres, learners: int) -> list[str]:
    """A database `judge` with accounts; their tokens."""
    with contextlib.closing(open_database(postgres.create("judge"))) as database:
        migrations.upgrade(database)
        with database.write() as session:
            users = [
                accounts.add_user(session, f"learner{i}", PASSWORD, Role.LEARNER)
                for i in range(learners)
            ]
            return [accounts.make_token(session, user, "test") for user in users]


@contextlib.contextmanager
def stack(
    bank: Path,
    workers: int = 2,
    learners: int = 4,
    postgres: Postgres | None = None,
    redis: Redis | None = None,
    site: Callable[[Postgres, int], list[str]] = new_site,
    **settings: str,
) -> Iterator[Stack]:
    """The whole service with what `site` puts into the database; ended at the end.

    `settings` are environment variables.
    """
    with contextlib.ExitStack() as closing:
        postgres, redis = postgres or Postgres(), redis or Redis()
        closing.callback(postgres.close)
        closing.callback(redis.close)
        # A process that is being killed may still write while its folder is taken away.
        kept_files = tempfile.TemporaryDirectory(prefix="judge-stack-", ignore_cleanup_errors=True)
        folder = Path(closing.enter_context(kept_files))
        tokens = site(postgres, learners)
        database = open_database(postgres.url("judge"))
        closing.callback(database.close)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("JUDGE_")}
        port = free_port()
        environment = kept | {
            "JUDGE_INSTANCE": str(folder / "instance"),
            "JUDGE_BANK": str(bank),
            "JUDGE_DATABASE_URL": postgres.url("judge"),
            "JUDGE_BROKER_URL": redis.url(),
            "JUDGE_LIMIT_STORAGE": redis.url(1),
            "JUDGE_SECRET_KEY": "a secret of a test",
            "JUDGE_SUBMIT_LIMIT": "100000/minute",
            "JUDGE_WORKERS": "1",
            "GRADE_HOME": str(folder / "grade"),
            "GUNICORN_CMD_ARGS": f"--bind 127.0.0.1:{port} --threads 16",
            **settings,
        }
        Bank(bank, database, Shelf(folder / "instance" / "published", database)).sync()
        web = Program(
            [sys.executable, "-m", "gunicorn", "-c", "docker/gunicorn.conf.py"],
            environment,
            folder / "web.log",
        )
        built = Stack(postgres, redis, database, environment, folder, port, web, tokens=tokens)
        closing.callback(lambda: [program.close() for program in (*built.workers, web)])
        web.spawn()
        for _ in range(workers):
            built.worker()
        built.ready(workers)
        yield built


def judged(stack: Stack, numbers: list[int], seconds: float) -> dict[int, Submission]:
    """Wait for verdicts, looking in the database only."""
    from sqlalchemy import select

    found: dict[int, Submission] = {}
    end = time.monotonic() + seconds
    while len(found) < len(numbers) and time.monotonic() < end:
        # the database may be what is broken
        with contextlib.suppress(Exception), stack.database.read() as session:
            rows = session.scalars(
                select(Submission).where(Submission.id.in_(numbers), Submission.state == "done")
            ).all()
            found = {row.id: row for row in rows}
        time.sleep(0.2)
    return found
