"""Fills a database with the rows of a site that has been in use for years, the same ones each time.

The rows are made inside PostgreSQL: learners between one and thousands of submissions, popular and
rare problems, and classes with assignments, one of which withholds its results.
"""

import json
import random
from typing import Any

from sqlalchemy import text

from grader.model import CaseResult, Diagnosis, Framework, Outcome, Verdict
from server.models.database import Database
from tests.scaled.stack import REPOSITORY

LEARNERS_A_ROW = 50  # submissions of a learner on average
CLASS, PROBLEMS = 100, 10  # learners of a class, problems of an assignment
PEOPLE = """
SET LOCAL synchronous_commit = off;
SELECT setseed(0.5);
INSERT INTO users (name, folded, display_name, role, password_hash, session_key, active, created_at)
  SELECT 'learner' || i, 'learner' || i, CASE WHEN i % 3 = 0 THEN 'Learner ' || i END, 'learner',
    'none', 'none', true, now()
  FROM generate_series(1, CAST(:users AS int)) AS i;
INSERT INTO courses (title, code, zone, archived, created_at)
  SELECT 'Class ' || i, 'CODE' || i, 'UTC', false, now()
  FROM generate_series(1, CAST(:classes AS int)) AS i;
INSERT INTO members (course_id, user_id, teaches, joined_at)
  SELECT c, 1 + (c * 7919 + i * 101) % CAST(:users AS int), false, now()
  FROM generate_series(1, CAST(:classes AS int)) AS c,
    generate_series(1, CAST(:of_class AS int)) AS i
  ON CONFLICT DO NOTHING;
INSERT INTO assignments (course_id, title, opens_at, due_at, late, late_percent, feedback)
  SELECT c, 'Week 1', now() - interval '400 days', now() + interval '7 days', 'percent', 10,
    CASE WHEN c = 1 THEN 'after_due' ELSE 'full' END
  FROM generate_series(1, CAST(:classes AS int)) AS c;
INSERT INTO assignment_problems (assignment_id, slug, position, points)
  SELECT a.id, p.slug, row_number() OVER (PARTITION BY a.id ORDER BY p.slug), 10
  FROM assignments AS a, LATERAL (
    SELECT slug FROM problem_versions WHERE current
    ORDER BY md5(slug || a.id) LIMIT CAST(:problems AS int)
  ) AS p;
"""
ROWS = """
WITH r AS (
  SELECT i, random() AS who, random() AS what, random() AS kind, random() AS cpu, random() AS how,
    now() - (CAST(:rows AS int) - i) * interval '60 seconds' AS at
  FROM generate_series(CAST(:first AS int), CAST(:last AS int)) AS i
)
INSERT INTO submissions (user_id, problem, framework, source, trial, submitted_at, state, attempt,
  failures, judged_at, digest, outcome, score, max_score, cpu_ms, verdict, shown)
  SELECT least(CAST(:users AS int), 1 + floor(CAST(:users AS int) * power(r.who, 2))), p.slug,
    CASE WHEN r.kind < 0.4 THEN 'numpy' ELSE 'torch' END, t.source || i, false, r.at, 'done', 1,
    0, r.at, p.digest, t.outcome, t.score, 12, 5 + 50 * r.cpu, t.verdict::json, t.shown::json
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
  SELECT user_id, problem, count(*), count(*) FILTER (WHERE outcome = 'accepted'),
    min(submitted_at) FILTER (WHERE outcome = 'accepted'),
    min(cpu_ms) FILTER (WHERE outcome = 'accepted')
  FROM submissions WHERE state = 'done' AND NOT trial AND outcome != 'judge_error'
  GROUP BY user_id, problem;
INSERT INTO ranks
  SELECT user_id, count(*), max(solved_at) FROM tries WHERE solved_at IS NOT NULL GROUP BY user_id;
INSERT INTO problem_counts
  SELECT problem, user_id % 16, sum(judged), sum(accepted) FROM tries
  GROUP BY problem, user_id % 16;
"""
SHARES = (
    (Outcome.ACCEPTED, 0.0, 0.5),
    (Outcome.WRONG_ANSWER, 0.5, 0.9),
    (Outcome.RUNTIME_ERROR, 0.9, 0.9999),
    (Outcome.JUDGE_ERROR, 0.9999, 1.0),
)


def template(outcome: Outcome, source: str) -> dict[str, Any]:
    """Returns a row of the table `templates`: a verdict of twelve cases, as long as a real one."""
    good = outcome is Outcome.ACCEPTED
    message = (
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
            "" if good else message,
            "Why.",
        )
        for i in range(12)
    )
    diagnosis = (
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
        () if diagnosis is None else (diagnosis,),
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


def fill(database: Database, rows: int, chunk: int = 50_000) -> None:
    """Creates so many submissions, and everything that belongs to them."""
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
            # makes the insertion faster
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
