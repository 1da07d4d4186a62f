"""The connection to the database. SQLite (WAL, foreign keys, busy timeout) and PostgreSQL.

A session from `Database.read` sees one moment; one from `Database.write` takes SQLite's write lock
with its first statement, so that what is read inside it still holds when it is written.
"""

import math
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, cast

from sqlalchemy import (
    Connection,
    Dialect,
    Engine,
    create_engine,
    event,
    func,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import Session
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import FunctionElement

from server.models.base import Base, Utc, now
from server.private_files import private_database


@dataclass(frozen=True, slots=True)
class Database:
    """An engine and the two ways to use it."""

    engine: Engine

    @property
    def one_writer(self) -> bool:
        """Whether a session that writes keeps all others from it (SQLite)."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session that sees one moment and writes nothing."""
        with Session(self.engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def ask(self) -> Iterator[Connection]:
        """A connection that reads a few columns: what is asked for every verdict needs no objects,
        and a session costs more than the question.
        """
        with self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A session that commits at the end, all of it or nothing."""
        with (
            Session(self.engine.execution_options(write=True), expire_on_commit=False) as session,
            session.begin(),
        ):
            yield session

    def close(self) -> None:
        """Give every connection back."""
        self.engine.dispose()


def insert_once(session: Session, model: type[Base], values: Mapping[str, Any]) -> None:
    """Inserts a row unless its key is there already, perhaps since a moment ago."""
    insert = insert_into(session.get_bind().dialect.name, model)
    session.execute(insert.values(values).on_conflict_do_nothing())


def insert_into(dialect: str, table: Any) -> Any:
    """Returns the dialect's own INSERT, which knows ON CONFLICT."""
    return (postgresql if dialect == "postgresql" else sqlite).insert(table)


def clock(session: Session) -> datetime:
    """Returns the moment by the one clock that every process shares.

    It is PostgreSQL's; with SQLite all of them run on one machine anyway.
    """
    if session.get_bind().dialect.name != "postgresql":
        return now()
    return cast(datetime, session.scalar(_CLOCK))


_CLOCK = select(func.clock_timestamp(type_=Utc))


class later(FunctionElement[datetime]):
    """In a statement: so many seconds after this moment, by the clock of `clock`."""

    type = Utc()
    inherit_cache = True


@compiles(later, "postgresql")
def _postgresql_later(element: later, compiler: SQLCompiler, **kw: Any) -> str:
    return (
        "(statement_timestamp() + make_interval(secs =>"
        f" {compiler.process(element.clauses, **kw)}))"
    )


@compiles(later, "sqlite")
def _sqlite_later(element: later, compiler: SQLCompiler, **kw: Any) -> str:
    return f"later({compiler.process(element.clauses, **kw)})"


def _later(seconds: float) -> str:
    # as SQLAlchemy writes it
    return (now() + timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M:%S.%f")


# A connection whose other end has vanished is noticed within about ten seconds, not after the
# kernel's two hours.
WATCHED = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}


def open_database(url: str, busy_timeout: float = 5.0, pool: int = 40) -> Database:
    """Connect.

    SQLite gets its pragmas and explicit transactions; PostgreSQL a small pool that grows, and short
    waits.
    """
    if not url.startswith("sqlite"):
        wait = {"pool_size": 5, "max_overflow": pool, "pool_timeout": busy_timeout}
        # jit: none of ours runs for long enough to be worth compiling
        options = {"options": f"-c lock_timeout={max(1, round(busy_timeout * 1000))} -c jit=off"}
        engine = create_engine(url, connect_args=WATCHED | options, **wait)
        event.listen(engine, "checkin", _rested)
        event.listen(engine, "checkout", partial(_look, engine.dialect))
        return Database(engine)
    private_database(url)
    engine = create_engine(
        url,
        connect_args={"timeout": busy_timeout, "check_same_thread": False},
        pool_size=pool,
        max_overflow=8,
        pool_use_lifo=True,  # few connections, whose caches are warm; the others stay small
    )
    event.listen(engine, "connect", _sqlite_connect)
    event.listen(engine, "begin", _sqlite_begin)
    return Database(engine)


# a connection that was used so lately is used again without a look; that costs a question each time
RESTED_S = 1.0


# Pages that a connection of SQLite keeps in memory. There may be dozens, and with SQLite's own
# 2 MiB each a process grows for thousands of submissions; the system caches the file anyway.
CACHE_KIB = 512


def _rested(connection: Any, record: Any) -> None:
    record.info["since"] = time.monotonic()


def _look(dialect: Dialect, connection: Any, record: Any, proxy: Any) -> None:
    """Before a connection that has rested is used again, see that PostgreSQL is still there;
    otherwise the pool opens another.
    """
    if time.monotonic() - record.info.get("since", math.inf) < RESTED_S:
        return
    try:
        dialect.do_ping(connection)
    except dialect.loaded_dbapi.Error as error:
        raise DisconnectionError from error


def _sqlite_connect(connection: sqlite3.Connection, record: object) -> None:
    connection.isolation_level = None  # the driver begins nothing by itself: `_sqlite_begin` does
    connection.create_function("later", 1, _later)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA foreign_keys = ON")
    # in WAL: survives the process's death at any instant
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")


def _sqlite_begin(connection: Any) -> None:
    connection.exec_driver_sql(
        "BEGIN IMMEDIATE" if connection.get_execution_options().get("write") else "BEGIN"
    )
