"""Backup and restore as docs/running.md has them: another PostgreSQL, another Redis, the same
secrets; nothing is missing.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from sqlalchemy import select

from grader.sandbox import SandboxPool

pytest.importorskip("celery", reason="the group `scale` is not installed")

from server.models.base import Base
from tests.scaled.chaos import sources, without_times
from tests.scaled.services import PASSWORD, USER, Postgres, postgres_programs
from tests.scaled.stack import REPOSITORY, SLUG, Stack, judged, stack

CHANGES = {"workers"}  # signs of life of processes that are gone


def run(program: str, *words: str) -> None:
    """One of PostgreSQL's programs."""
    done = subprocess.run(
        [str(postgres_programs() / program), *words],
        env=os.environ | {"PGPASSWORD": PASSWORD},
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


def test_nothing_is_missing(tmp_path: Path, sandbox: SandboxPool) -> None:
    bank, dump, home = tmp_path / "bank", tmp_path / "judge.dump", tmp_path / "grade"
    for folder in ("problems", "reference"):
        shutil.copytree(REPOSITORY / folder / SLUG, bank / folder / SLUG)
    right, _, wrong, _ = sources(bank)
    with stack(bank, workers=1) as first:
        before = [first.submit(learner, source) for learner, source in enumerate((right, wrong))]
        found = judged(first, before, 60)
        verdicts = [without_times(found[number].verdict) for number in before if number in found]
        assert len(verdicts) == 2, first.logs()
        first.workers[0].close()
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
