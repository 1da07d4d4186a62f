"""A backup of the whole database, restored into an empty one: every row is the same."""

import io
import json
import os
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from grader.errors import UsageError
from server.models import migrations
from server.models.base import Base
from server.models.database import Database, open_database
from server.ops import backup
from tests.server.conftest import BAD, GOOD, ON_POSTGRES, Browser, sqlite_only
from tests.server.instructors import FIT, send_zip
from tests.server.web.test_courses import Class


def rows(database: Database) -> dict[str, list[Any]]:
    with database.engine.connect() as connection:
        return {
            t.name: [tuple(r) for r in connection.execute(select(t).order_by(*t.primary_key))]
            for t in Base.metadata.sorted_tables
        }


@pytest.fixture
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Another database, of the same kind."""
    return (
        str(request.getfixturevalue("database_url"))
        if ON_POSTGRES
        else f"sqlite:///{tmp_path / 'other.sqlite3'}"
    )


@pytest.fixture
def lived_in(teacher: Browser, learner: Browser) -> Browser:
    """A site with something in most tables."""
    course = Class(teacher)
    course.join(learner)
    learner.judged(BAD)
    learner.judged(GOOD)
    send_zip(teacher, FIT)
    teacher.service.worker.stop()
    return teacher


def test_round_trip(lived_in: Browser, empty_url: str, tmp_path: Path) -> None:
    before, file = rows(lived_in.service.database), tmp_path / "site.backup"
    backup.backup(lived_in.service.database, file)
    target = open_database(empty_url)
    try:
        backup.restore(target, file)
        after = rows(target)
        migrations.check(target)
        with target.write() as session:  # the next number is free
            from server.services import accounts

            assert accounts.add_user(session, "somebody_new", "a long password").id > max(
                row[0] for row in before["users"]
            )
    finally:
        target.close()
    assert {name: len(found) for name, found in after.items() if found} == {
        name: len(found) for name, found in before.items() if found
    }
    assert after == before
    assert sum(bool(found) for found in before.values()) >= 10


def test_command_line(lived_in: Browser, tmp_path: Path) -> None:
    file = tmp_path / "site.backup"
    done = lived_in.app.test_cli_runner().invoke(args=["backup", str(file)])
    assert (done.exit_code, "rows of" in done.output) == (0, True), done.output
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    done = lived_in.app.test_cli_runner().invoke(args=["backup", str(file)])
    assert (done.exit_code, "exists already and stays as it is" in done.output) == (1, True)
    done = lived_in.app.test_cli_runner().invoke(args=["restore", str(file)])
    assert (done.exit_code, "the database is not empty" in done.output) == (1, True)


@sqlite_only
def test_a_backup_is_made_of_a_database_that_is_locked(lived_in: Browser, tmp_path: Path) -> None:
    file = tmp_path / "site.backup"
    with lived_in.service.database.write() as session:
        session.connection()
        done = lived_in.app.test_cli_runner().invoke(args=["backup", str(file)])
    assert (done.exit_code, "the audit log has no line of it" in done.output) == (0, True)
    assert zipfile.is_zipfile(file)


def test_nothing_is_no_backup(empty_url: str, tmp_path: Path) -> None:
    target = open_database(empty_url)
    try:
        with pytest.raises(UsageError, match="nothing to keep"):
            backup.backup(target, tmp_path / "site.backup")
    finally:
        target.close()
    assert not (tmp_path / "site.backup").exists()


def test_backup_of_an_older_revision_is_migrated(
    lived_in: Browser, empty_url: str, tmp_path: Path
) -> None:
    file, older = tmp_path / "site.backup", tmp_path / "older.backup"
    backup.backup(lived_in.service.database, file)
    with zipfile.ZipFile(file) as whole, zipfile.ZipFile(older, "w") as cut:
        about = json.loads(whole.read("meta.json"))
        kept = {"users": about["columns"]["users"]}
        cut.writestr("meta.json", json.dumps({**about, "revision": "0002", "columns": kept}))
        cut.writestr("tables/users.jsonl", whole.read("tables/users.jsonl"))
    target = open_database(empty_url)
    try:
        assert backup.restore(target, older)["users"] == 2
        assert migrations.current(target) == migrations.revisions()[-1]
    finally:
        target.close()


def zipped(meta: str) -> bytes:
    with zipfile.ZipFile(file := io.BytesIO(), "w") as archive:
        archive.writestr("meta.json", meta)
    return file.getvalue()


UNREADABLE = [
    ("a list", zipped("[]"), "cannot be read as a backup"),
    ("odd", zipped('{"format": 1, "revision": "0002", "columns": []}'), "cannot be read as a"),
    ("no zip", b"nothing", "cannot be read as a backup"),
    ("empty", b"", "cannot be read as a backup"),
]


@pytest.mark.parametrize(
    ("content", "message"), [row[1:] for row in UNREADABLE], ids=[row[0] for row in UNREADABLE]
)
def test_what_is_no_backup(empty_url: str, tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "x").write_bytes(content)
    target = open_database(empty_url)
    try:
        with pytest.raises(UsageError, match=message):
            backup.restore(target, tmp_path / "x")
    finally:
        target.close()


def test_backup_of_a_newer_program_is_refused(
    lived_in: Browser, empty_url: str, tmp_path: Path
) -> None:
    file, newer = tmp_path / "site.backup", tmp_path / "newer.backup"
    backup.backup(lived_in.service.database, file)
    with zipfile.ZipFile(file) as whole, zipfile.ZipFile(newer, "w") as other:
        other.writestr(
            "meta.json", json.dumps({**json.loads(whole.read("meta.json")), "revision": "9999"})
        )
    target = open_database(empty_url)
    try:
        with pytest.raises(UsageError, match="newer version"):
            backup.restore(target, newer)
    finally:
        target.close()
