"""The database's schema: the revisions lead to the models, from empty and from every earlier
revision, and back.
"""

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


@pytest.mark.parametrize("revision", migrations.revisions())
def test_from_every_revision_and_back(database: Database, revision: str) -> None:
    migrations.upgrade(database, revision)
    assert migrations.current(database) == revision
    migrations.upgrade(database)
    migrations.check(database)
    migrations.downgrade(database, "base")
    assert tables(database) == set()


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
