"""The database's schema: the revisions lead to the models, from empty and from every earlier
revision, and back.
"""

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect, text

from server.models import migrations
from server.models.base import Base
from server.models.database import Database, open_database
from tests.server.conftest import sqlite_only


@pytest.fixture
def database(database_url: str) -> Any:
    opened = open_database(database_url)
    yield opened
    opened.close()


def tables(database: Database) -> set[str]:
    return set(inspect(database.engine).get_table_names()) - {"alembic_version"}


def test_from_empty(database: Database) -> None:
    assert migrations.current(database) is None
    migrations.upgrade(database)
    migrations.check(database)
    assert tables(database) == set(Base.metadata.tables)
    migrations.upgrade(database)  # again: nothing to do


@pytest.fixture(scope="module")
def at_each(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A SQLite file at each revision: each is the one before and one step more."""
    folder, found = tmp_path_factory.mktemp("revisions"), {}
    walking = folder / "walking.sqlite3"
    for revision in migrations.revisions():
        with contextlib.closing(open_database(f"sqlite:///{walking}")) as opened:
            migrations.upgrade(opened, revision)
        found[revision] = Path(shutil.copy(walking, folder / f"{revision}.sqlite3"))
    return found


@pytest.fixture
def at_revision(
    revision: str, cluster: Any, database_url: str, request: pytest.FixtureRequest
) -> Iterator[Database]:
    """A database at a revision."""
    if cluster is None:
        file = request.getfixturevalue("at_each")[revision]
        shutil.copy(file, database_url.removeprefix("sqlite:///"))
    with contextlib.closing(open_database(database_url)) as opened:
        if cluster is not None:
            migrations.upgrade(opened, revision)
        yield opened


def schema(database: Database) -> object:
    """All of it, to the letter; on PostgreSQL no two are said to be the same."""
    if database.engine.dialect.name != "sqlite":
        return object()
    with database.engine.connect() as connection:
        return tuple(
            connection.execute(text("SELECT sql FROM sqlite_master ORDER BY name, sql")).scalars()
        )


@pytest.fixture(scope="module")
def gone_back() -> set[object]:
    """The schemas that have been checked, and taken back to an empty database."""
    return set()


@pytest.mark.parametrize("revision", migrations.revisions())
def test_from_every_revision_and_back(
    at_revision: Database, revision: str, gone_back: set[object]
) -> None:
    """The way back from the same schema to the letter is the same way: it is gone once."""
    assert migrations.current(at_revision) == revision
    migrations.upgrade(at_revision)
    assert migrations.current(at_revision) == migrations.revisions()[-1]
    reached = schema(at_revision)
    if reached in gone_back:
        return
    migrations.check(at_revision)
    migrations.downgrade(at_revision, "base")
    assert tables(at_revision) == set()
    gone_back.add(reached)


def test_what_waits_gets_its_turn(database: Database) -> None:
    """Revision 0009: each learner's submissions one after another; what is judged already does not
    count.
    """
    migrations.upgrade(database, "0008")
    with database.write() as session:
        for user in (1, 2):
            values = (
                f"({user}, 'u{user}', 'u{user}', 'learner', 'none', 'none', true, '2020-01-01')"
            )
            columns = "id, name, folded, role, password_hash, session_key, active, created_at"
            session.execute(text(f"INSERT INTO users ({columns}) VALUES {values}"))
        for user, state in (
            (1, "done"),
            (1, "running"),
            (1, "queued"),
            (2, "queued"),
            (1, "queued"),
            (2, "queued"),
        ):
            values = f"({user}, 'double', 'numpy', 'x', false, '2020-01-01', '{state}', 0, 0)"
            columns = (
                "user_id, problem, framework, source, trial, submitted_at, state, attempt, failures"
            )
            session.execute(text(f"INSERT INTO submissions ({columns}) VALUES {values}"))
    migrations.upgrade(database)
    with database.read() as session:
        assert session.execute(
            text("SELECT turn FROM submissions ORDER BY id")
        ).scalars().all() == [0, 0, 1, 0, 2, 1]


def test_a_changed_model_is_noticed(database: Database) -> None:
    migrations.upgrade(database)
    with database.write() as session:
        session.execute(text("ALTER TABLE users ADD COLUMN shoe_size INTEGER"))
    with pytest.raises(Exception, match="shoe_size"):
        migrations.check(database)


@sqlite_only
def test_sqlite_is_set_up(database: Database) -> None:
    with database.engine.connect() as connection:
        pragma = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "busy_timeout")
        }
    assert pragma == {"journal_mode": "wal", "foreign_keys": 1, "busy_timeout": 5000}


def test_a_failed_write_leaves_nothing(database: Database) -> None:
    migrations.upgrade(database)
    with pytest.raises(ZeroDivisionError), database.write() as session:
        session.execute(
            text(
                "INSERT INTO workers (owner, seen_at, room, trouble) VALUES ('x', '2020-01-01',"
                " 'ready', '')"
            )
        )
        raise ZeroDivisionError
    with database.read() as session:
        assert session.execute(text("SELECT count(*) FROM workers")).scalar() == 0
