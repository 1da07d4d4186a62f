"""A site that has been in use for years, on a real PostgreSQL: how long its pages take, and the
plan of each query behind them.

`python -m benchmarks.million [--rows N] [--plans]`. Rows are made inside PostgreSQL, the same ones
each time: learners between one and thousands of submissions, problems between popular and rare,
classes with assignments, one of which withholds its results.
"""

import argparse
import contextlib
import gc
import json
import random
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import event, select, text

from grader.model import CaseResult, Diagnosis, Framework, Outcome, Verdict
from server import create_app
from server.models import migrations
from server.models.accounts import Role, User
from server.models.courses import Assignment
from server.models.database import Database
from server.services import accounts, submission_queue, submissions
from server.services.jobs import leases
from server.services.jobs.kinds import SUBMISSIONS
from server.settings import Settings
from server.web.context import NAME, Service
from tests.scaled.services import Postgres
from tests.scaled.stack import REPOSITORY

MOST_MS = 100.0
LEARNERS_A_ROW = 50  # submissions of a learner on average
CLASS, PROBLEMS = 100, 10  # learners of a class, problems of an assignment
PEOPLE = """
SET LOCAL synchronous_commit = off;
SELECT setseed(0.5);
INSERT INTO users (name, folded, display_name, role, password_hash, session_key, active, created_at)
  SELECT 'learner' || i, 'learner' || i, CASE WHEN i % 3 = 0 THEN 'Learner ' || i END, 'learner', 'none', 'none', true, now()
  FROM generate_series(1, CAST(:users AS int)) AS i;
INSERT INTO courses (title, code, zone, archived, created_at)
  SELECT 'Class ' || i, 'CODE' || i, 'UTC', false, now() FROM generate_series(1, CAST(:classes AS int)) AS i;
INSERT INTO members (course_id, user_id, teaches, joined_at)
  SELECT c, 1 + (c * 7919 + i * 101) % CAST(:users AS int), false, now()
  FROM generate_series(1, CAST(:classes AS int)) AS c, generate_series(1, CAST(:of_class AS int)) AS i ON CONFLICT DO NOTHING;
INSERT INTO assignments (course_id, title, opens_at, due_at, late, late_percent, feedback)
  SELECT c, 'Week 1', now() - interval '400 days', now() + interval '7 days', 'percent', 10,
    CASE WHEN c = 1 THEN 'after_due' ELSE 'full' END
  FROM generate_series(1, CAST(:classes AS int)) AS c;
INSERT INTO assignment_problems (assignment_id, slug, position, points)
  SELECT a.id, p.slug, row_number() OVER (PARTITION BY a.id ORDER BY p.slug), 10 FROM assignments AS a,
  LATERAL (SELECT slug FROM problem_versions WHERE current ORDER BY md5(slug || a.id) LIMIT CAST(:problems AS int)) AS p;
"""
ROWS = """
WITH r AS (
  SELECT i, random() AS who, random() AS what, random() AS kind, random() AS cpu, random() AS how,
    now() - (CAST(:rows AS int) - i) * interval '60 seconds' AS at
  FROM generate_series(CAST(:first AS int), CAST(:last AS int)) AS i
)
INSERT INTO submissions (user_id, problem, framework, source, trial, submitted_at, state, attempt, failures, judged_at, digest,
  outcome, score, max_score, cpu_ms, verdict, shown)
  SELECT least(CAST(:users AS int), 1 + floor(CAST(:users AS int) * power(r.who, 2))), p.slug,
    CASE WHEN r.kind < 0.4 THEN 'numpy' ELSE 'torch' END, t.source || i, false, r.at, 'done', 1, 0, r.at, p.digest,
    t.outcome, t.score, 12, 5 + 50 * r.cpu, t.verdict::json, t.shown::json
  FROM r
  JOIN old_problems AS p ON p.number = 1 + floor(CAST(:slugs AS int) * power(r.what, 1.5))
  JOIN templates AS t ON r.how >= t.from_share AND r.how < t.to_share
"""
TEMPLATES = (
    "outcome text, score int, verdict text, shown text, source text, from_share float, to_share"
    " float"
)
FILL = """
INSERT INTO tries (user_id, problem, judged, accepted, solved_at, cpu_ms)
  SELECT user_id, problem, count(*), count(*) FILTER (WHERE outcome = 'accepted'), min(submitted_at) FILTER (WHERE outcome = 'accepted'),
    min(cpu_ms) FILTER (WHERE outcome = 'accepted')
  FROM submissions WHERE state = 'done' AND NOT trial AND outcome != 'judge_error' GROUP BY user_id, problem;
INSERT INTO ranks SELECT user_id, count(*), max(solved_at) FROM tries WHERE solved_at IS NOT NULL GROUP BY user_id;
INSERT INTO problem_counts SELECT problem, user_id % 16, sum(judged), sum(accepted) FROM tries GROUP BY problem, user_id % 16;
"""


def template(outcome: Outcome, source: str) -> dict[str, Any]:
    """A verdict of twelve cases, as long as a real one."""
    good = outcome is Outcome.ACCEPTED
    words = (
        "weights differ at [1, 2, 3] and 47 other places: 0.48211 where 0.30113 is right, row 3 of"
        " head 1; allowed 1.1e-05."
    )
    cases = tuple(
        CaseResult(
            f"a case of some name {i}",
            outcome if i % 3 else Outcome.ACCEPTED,
            i < 3,
            1,
            1,
            1.5,
            1.25,
            40.0,
            "" if good else words,
            "Why.",
        )
        for i in range(12)
    )
    found = (
        None
        if good
        else Diagnosis(
            "no_scale",
            "The scores are not divided by the root of the width.",
            ("a case of some name 1",),
        )
    )
    verdict = Verdict(
        "slug",
        "d" * 64,
        Framework.TORCH,
        outcome,
        12 if good else 4,
        12,
        "bubblewrap",
        0,
        cases,
        found,
        "8 of 12 cases fail.",
    )
    chance = random.Random(str(outcome))
    samples = [
        {"name": f"case {i}", "got": [round(chance.gauss(0, 1), 6) for _ in range(120)]}
        for i in range(3)
    ]
    return {
        "outcome": str(outcome),
        "score": 12 if good else 4,
        "verdict": json.dumps(verdict.to_json()),
        "shown": json.dumps(
            {
                "notes": {f"a case of some name {i}": "Why it is there." for i in range(12)},
                "samples": samples,
            }
        ),
        "source": source + "# ",
    }


SHARES = (
    (Outcome.ACCEPTED, 0.0, 0.5),
    (Outcome.WRONG_ANSWER, 0.5, 0.9),
    (Outcome.RUNTIME_ERROR, 0.9, 0.9999),
    (Outcome.JUDGE_ERROR, 0.9999, 1.0),
)


def fill(database: Database, rows: int, chunk: int = 50_000) -> None:
    """Make the rows."""
    users = rows // LEARNERS_A_ROW
    values = {
        "users": users,
        "classes": max(1, users // 200),
        "of_class": CLASS,
        "problems": PROBLEMS,
    }
    source = (REPOSITORY / "reference" / "scaled_dot_product_attention" / "torch.py").read_text()
    with database.engine.begin() as connection:
        for statement in filter(str.strip, PEOPLE.split(";\n")):
            connection.execute(
                text(statement), {k: v for k, v in values.items() if f":{k}" in statement}
            )
        connection.execute(text(f"CREATE TABLE templates ({TEMPLATES})"))
        for outcome, low, high in SHARES:
            line = template(outcome, source) | {"low": low, "high": high}
            connection.execute(
                text(
                    "INSERT INTO templates VALUES (:outcome, :score, :verdict, :shown, :source,"
                    " :low, :high)"
                ),
                line,
            )
        numbered = (
            "SELECT slug, digest, row_number() OVER (ORDER BY md5(slug)) AS number FROM"
            " problem_versions WHERE current"
        )
        connection.execute(text(f"CREATE TABLE old_problems AS {numbered}"))
        slugs = connection.scalar(text("SELECT count(*) FROM old_problems"))
    for first in range(1, rows + 1, chunk):
        with database.engine.begin() as connection:
            connection.execute(text("SET LOCAL synchronous_commit = off"))
            # only so that making them is quick
            connection.execute(text("SET LOCAL default_toast_compression = lz4"))
            connection.execute(text(f"SELECT setseed({first / (rows + 1)})"))
            span = {"first": first, "last": min(rows, first + chunk - 1)}
            connection.execute(text(ROWS), {"users": users, "rows": rows, "slugs": slugs, **span})
    with database.engine.begin() as connection:
        for statement in filter(str.strip, FILL.split(";\n")):
            connection.execute(text(statement))
        connection.execute(text("DROP TABLE templates, old_problems"))
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM ANALYZE"))


@dataclass
class Watched:
    """The statements that were executed, with the longest time of each."""

    statements: dict[str, tuple[float, Any]] = field(default_factory=dict)
    began: float = 0.0

    def before(
        self,
        connection: Any,
        cursor: Any,
        statement: str,
        parameters: Any,
        context: Any,
        many: bool,
    ) -> None:
        """As SQLAlchemy calls it."""
        self.began = time.perf_counter()

    def after(
        self,
        connection: Any,
        cursor: Any,
        statement: str,
        parameters: Any,
        context: Any,
        many: bool,
    ) -> None:
        """As SQLAlchemy calls it."""
        took = (time.perf_counter() - self.began) * 1000
        if took >= self.statements.get(statement, (-1.0, None))[0]:
            self.statements[statement] = (took, parameters)


@contextlib.contextmanager
def watched(database: Database) -> Iterator[Watched]:
    """Every statement of this block."""
    found = Watched()
    event.listen(database.engine, "before_cursor_execute", found.before)
    event.listen(database.engine, "after_cursor_execute", found.after)
    try:
        yield found
    finally:
        event.remove(database.engine, "before_cursor_execute", found.before)
        event.remove(database.engine, "after_cursor_execute", found.after)


def plan(database: Database, statement: str, parameters: Any, *, scans: bool = True) -> str:
    """What PostgreSQL does, really executed and taken back.

    Without `scans` it reads a table from end to end only where it must.
    """
    with database.engine.connect() as connection:
        connection.execute(text(f"SET LOCAL enable_seqscan = {'on' if scans else 'off'}"))
        rows = connection.exec_driver_sql(
            f"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY ON) {statement}", parameters
        )
        lines = [row[0] for row in rows]
        connection.rollback()
    return "\n".join(lines)


Act = Callable[[random.Random], None]


def pages(app: Any, service: Service) -> dict[str, Act]:
    """What is measured: name and one request, as somebody chosen by the generator."""
    with service.database.read() as session:
        users = session.scalar(select(User.id).order_by(User.id.desc()).limit(1)) or 1
        assignments = session.scalars(select(Assignment.id).order_by(Assignment.id)).all()
    with service.database.write() as session:
        old = accounts.find_user(session, "ada")
        admin = (old or accounts.add_user(session, "ada", "", Role.ADMIN, password_hash="none")).id
    slugs = [p.slug for p in service.bank.problems()]
    clients: dict[int, Any] = {}

    def client(user: int) -> Any:
        if user not in clients:
            clients[user] = app.test_client()
            with service.database.read() as session:
                key = session.get_one(User, user).session_key
            with clients[user].session_transaction() as kept:
                kept["_user_id"], kept["_fresh"] = f"{user}.{key}", True
        return clients[user]

    def learner(chance: random.Random) -> int:
        return int(chance.random() ** 2 * users) + 1  # as the submissions are spread

    def get(path: Callable[[random.Random], str], as_admin: bool = False) -> Act:
        def act(chance: random.Random) -> None:
            answer = client(admin if as_admin else learner(chance)).get(path(chance))
            assert answer.status_code == 200, (answer.status_code, answer.text[:300])

        return act

    return {
        "bank": get(lambda c: "/"),
        "bank, the most active learner": lambda c: _ok(client(1).get("/")),
        "problem": get(lambda c: f"/problems/{c.choice(slugs)}"),
        "own history": get(lambda c: f"/problems/{c.choice(slugs)}/submissions"),
        "own history, the most active learner": lambda c: _ok(
            client(1).get(f"/problems/{c.choice(slugs)}/submissions?page={c.randint(1, 4)}")
        ),
        "own submissions (API)": get(lambda c: "/api/v1/submissions?per_page=50"),
        "progress": get(lambda c: "/progress"),
        "problems with acceptance (API)": get(lambda c: "/api/v1/problems"),
        "leaderboard": get(lambda c: "/leaderboard"),
        "leaderboard of a problem": get(lambda c: f"/problems/{c.choice(slugs)}/leaderboard"),
        "matrix of a class": get(lambda c: f"/teach/assignments/{c.choice(assignments)}", True),
        "mistakes of a class": get(
            lambda c: _mistakes(service.database, c.choice(assignments), c), True
        ),
        "submissions of a problem (rejudge)": get(
            lambda c: (
                f"/teach/problems/{c.choice(slugs)}/rejudge?which={c.choice(['all', 'accepted'])}"
            ),
            True,
        ),
        "accounts and judge errors": get(lambda c: "/manage", True),
        "metrics": lambda c: _ok(
            app.test_client().get("/metrics", headers={"Authorization": "Bearer of-a-test"})
        ),
    }


def _ok(answer: Any) -> None:
    assert answer.status_code == 200, answer.status_code


def _mistakes(database: Database, number: int, chance: random.Random) -> str:
    with database.read() as session:
        slug = chance.choice(session.get_one(Assignment, number).problems).slug
    return f"/teach/assignments/{number}/mistakes/{slug}"


def worker_steps(service: Service) -> dict[str, Act]:
    """What a worker does with the table."""
    database, problem = service.database, service.bank.problems()[0]
    verdict = Verdict(
        problem.slug,
        problem.digest,
        Framework.NUMPY,
        Outcome.ACCEPTED,
        1,
        1,
        "fake",
        0,
        (),
        None,
        "",
    )

    def submit_claim_finish(chance: random.Random) -> None:
        with database.write() as session:
            submissions.submit(session, chance.randint(1, 20), problem, Framework.NUMPY, "x = 1")
        claimed = submission_queue.claim(database, "host:1:a", 30)
        assert claimed is not None
        assert submission_queue.finish(database, claimed, verdict, {})

    return {
        "submit, claim, finish": submit_claim_finish,
        "sweep": lambda c: _nothing(
            leases.reclaim(database, SUBMISSIONS, "host:1:a"), leases.due(database, SUBMISSIONS)
        ),
    }


def _nothing(*_: object) -> None:
    """For its effect only."""


def measure(service: Service, acts: dict[str, Act], times: int, plans: bool) -> list[str]:
    """A line for each act; those over the limit are returned."""
    print(
        "| what | p50 ms | p95 ms | queries | slowest query ms |\n|---|--:|--:|--:|--:|", flush=True
    )
    late, queries = [], defaultdict[str, list[tuple[str, float, Any]]](list)
    for name, act in acts.items():
        for i in range(5):
            act(random.Random(f"warm {name} {i}"))
        took = []
        for i in range(times):
            began = time.perf_counter()
            act(random.Random(f"{name} {i}"))
            took.append((time.perf_counter() - began) * 1000)
        took.sort()
        with watched(service.database) as seen:
            act(random.Random(f"{name} 0"))
        worst = max((ms for ms, _ in seen.statements.values()), default=0.0)
        p95 = took[int(times * 0.95)]
        print(
            f"| {name} | {took[times // 2]:.1f} | {p95:.1f} | {len(seen.statements)} |"
            f" {worst:.1f} |",
            flush=True,
        )
        queries[name] = [
            (statement, ms, values) for statement, (ms, values) in seen.statements.items()
        ]
        if p95 > MOST_MS:
            late.append(f"{name}: p95 {p95:.0f} ms")
    if plans:
        _print_plans(service.database, queries)
    return late


def _print_plans(database: Database, queries: dict[str, list[tuple[str, float, Any]]]) -> None:
    known: set[str] = set()
    for name, found in queries.items():
        print(f"\n## {name}")
        for statement, ms, values in found:
            short = " ".join(statement.split())
            if statement in known or not re.match(
                r"(SELECT .* FROM|WITH|UPDATE|INSERT|DELETE) ", short
            ):
                continue
            known.add(statement)
            columns = re.sub(r"^SELECT .*? FROM ", "SELECT … FROM ", short)
            print(
                f"\n{ms:.1f} ms: {columns[:600]}\n{plan(database, statement, values)}", flush=True
            )


def main() -> None:
    """Make it, measure it; status 1 when a page is late."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=1_000_000)
    options.add_argument("--times", type=int, default=60)
    options.add_argument("--plans", action="store_true")
    options.add_argument(
        "--keep", default="", help="an existing database's URL: measured as it is, not made"
    )
    options.add_argument("--only", default="")
    asked = options.parse_args()
    with contextlib.ExitStack() as closing:
        url = asked.keep
        if not url:
            cluster = closing.enter_context(contextlib.closing(Postgres()))
            url = cluster.create("million")
        folder = closing.enter_context(tempfile.TemporaryDirectory(prefix="judge-million-"))
        settings = Settings(
            instance=folder,
            database_url=url,
            secret_key="of a test",
            metrics_token="of-a-test",
            bank=str(REPOSITORY),
        )
        app = create_app(settings)
        service: Service = app.extensions[NAME]
        closing.callback(service.database.close)
        migrations.upgrade(service.database)
        service.bank.sync()
        if not asked.keep:
            began = time.monotonic()
            fill(service.database, asked.rows)
            print(
                f"{asked.rows:,} submissions made in {time.monotonic() - began:.0f} s\n", flush=True
            )
        gc.freeze()  # as every serving process does
        acts = {
            name: act
            for name, act in (pages(app, service) | worker_steps(service)).items()
            if asked.only in name
        }
        late = measure(service, acts, asked.times, asked.plans)
    for line in late:
        print(line)
    raise SystemExit(bool(late))


if __name__ == "__main__":
    main()
