"""The tables, and the connection to them. SQLite (WAL, foreign keys, busy timeout) and PostgreSQL.

A session from `Database.read` sees one moment; one from `Database.write` takes SQLite's write lock with its first statement, so that what
is read inside it still holds when it is written.
"""

import math
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Any, cast

from sqlalchemy import (
    JSON,
    DateTime,
    Dialect,
    Engine,
    ForeignKey,
    Index,
    MetaData,
    String,
    Text,
    TypeDecorator,
    create_engine,
    event,
    func,
    select,
    text,
)
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import FunctionElement

from server.permissions import private_database


def now() -> datetime:
    """This moment, in UTC."""
    return datetime.now(UTC)


class Utc(TypeDecorator[datetime]):
    """A moment in UTC; SQLite forgets the zone, so it is put back on the way out."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """Every constraint has a name, so that a migration can change it."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {datetime: Utc, dict[str, Any]: JSON(none_as_null=True), list[Any]: JSON(none_as_null=True)}  # noqa: RUF012


class Role(StrEnum):
    """What an account may do; each includes the ones before."""

    LEARNER = "learner"
    INSTRUCTOR = "instructor"
    ADMIN = "admin"


class State(StrEnum):
    """Where a submission is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"


class User(Base):
    """An account."""

    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    folded: Mapped[str] = mapped_column(String(80), unique=True)  # the name as it is compared: NFKC, case folded
    display_name: Mapped[str | None] = mapped_column(String(40))  # shown on leaderboards; none: not shown there
    role: Mapped[str] = mapped_column(String(16), default=Role.LEARNER)
    password_hash: Mapped[str] = mapped_column(String(200))
    session_key: Mapped[str] = mapped_column(String(40))  # in each session cookie; changes with password and role
    active: Mapped[bool] = mapped_column(default=True)
    created_at: Mapped[datetime] = mapped_column(default=now)


class Invitation(Base):
    """A code with which one account can be made; only its hash is kept."""

    __tablename__ = "invitations"
    id: Mapped[int] = mapped_column(primary_key=True)
    code_hash: Mapped[str] = mapped_column(String(64), unique=True)
    role: Mapped[str] = mapped_column(String(16))
    note: Mapped[str] = mapped_column(String(80), default="")
    created_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    created_at: Mapped[datetime] = mapped_column(default=now)
    expires_at: Mapped[datetime]
    used_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    used_at: Mapped[datetime | None]


class PasswordReset(Base):
    """A link, made by a teacher, an admin or on the command line, that sets a new password once."""

    __tablename__ = "password_resets"
    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    code_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    created_at: Mapped[datetime] = mapped_column(default=now)
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]
    user: Mapped[User] = relationship(foreign_keys=[user_id])


class Token(Base):
    """A key to the API; only its hash is kept."""

    __tablename__ = "tokens"
    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    name: Mapped[str] = mapped_column(String(40))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime] = mapped_column(default=now)
    used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    user: Mapped[User] = relationship()


class ProblemVersion(Base):
    """A problem as it once lay on disk, by its digest, with what the judge computed from it for the statement."""

    __tablename__ = "problem_versions"
    slug: Mapped[str] = mapped_column(String(80), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    title: Mapped[str] = mapped_column(String(200))
    current: Mapped[bool] = mapped_column(default=True)
    loaded_at: Mapped[datetime] = mapped_column(default=now)
    case_counts: Mapped[dict[str, Any] | None]  # by framework: how many cases there are
    samples: Mapped[list[Any] | None]  # the sample cases with their answers, as `samples.sample_data` writes them


_SCORED = ["trial", "state", "outcome", "score", "max_score", "submitted_at"]


class Submission(Base):
    """One submission. The row is the truth: what is queued here will be judged."""

    __tablename__ = "submissions"
    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    problem: Mapped[str] = mapped_column(String(80))
    framework: Mapped[str] = mapped_column(String(16))
    source: Mapped[str] = mapped_column(Text)
    trial: Mapped[bool] = mapped_column(default=False)  # samples only; removed after a while
    once: Mapped[str | None] = mapped_column(String(64))  # of the form or the Idempotency-Key: a replay finds the same row
    submitted_at: Mapped[datetime] = mapped_column(default=now)
    state: Mapped[str] = mapped_column(String(16), default=State.QUEUED)
    turn: Mapped[int] = mapped_column(default=0, server_default="0")  # the smallest is next (`server.services.rounds`)
    attempt: Mapped[int] = mapped_column(default=0)  # counts claims, and fences: only the latest may write
    failures: Mapped[int] = mapped_column(default=0)  # of ours
    not_before: Mapped[datetime | None]
    lease_owner: Mapped[str | None] = mapped_column(String(120))
    lease_until: Mapped[datetime | None]
    trouble: Mapped[str | None] = mapped_column(Text)  # of ours, for the operator
    progress: Mapped[list[Any] | None]
    judged_at: Mapped[datetime | None]
    digest: Mapped[str | None] = mapped_column(String(64))
    outcome: Mapped[str | None] = mapped_column(String(32))
    score: Mapped[int | None]
    max_score: Mapped[int | None]
    cpu_ms: Mapped[float | None]
    verdict: Mapped[dict[str, Any] | None]
    shown: Mapped[dict[str, Any] | None] = mapped_column(deferred=True)  # notes of the cases, and the samples' numbers for the pictures
    user: Mapped[User] = relationship()

    __table_args__ = (
        Index("uq_submissions_once", "user_id", "once", unique=True),
        Index(
            "uq_submissions_running",
            "user_id",
            unique=True,
            sqlite_where=text("state = 'running'"),
            postgresql_where=text("state = 'running'"),
        ),
        Index("ix_submissions_queued", "turn", "id", sqlite_where=text("state = 'queued'"), postgresql_where=text("state = 'queued'")),
        # What scores and counts follow from is in the index itself: a class's matrix need not fetch thousands of rows.
        Index("ix_submissions_history", "user_id", "problem", "id", postgresql_include=_SCORED),
        Index("ix_submissions_latest", "user_id", "id"),
        Index("ix_submissions_problem", "problem", "id"),
        Index("ix_submissions_trials", "judged_at", sqlite_where=text("trial"), postgresql_where=text("trial")),
        Index(
            "ix_submissions_errors",
            "id",
            sqlite_where=text("outcome = 'judge_error'"),
            postgresql_where=text("outcome = 'judge_error'"),
        ),
        {"sqlite_autoincrement": True},  # the number of a removed sample run is never given again
    )


class Tries(Base):
    """A learner's judged submissions to a problem in one line (`server.services.tries`)."""

    __tablename__ = "tries"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    problem: Mapped[str] = mapped_column(String(80), primary_key=True)
    judged: Mapped[int]
    accepted: Mapped[int]
    solved_at: Mapped[datetime | None]  # when the first accepted one was sent
    cpu_ms: Mapped[float | None]  # the least of those accepted

    __table_args__ = (
        Index(
            "ix_tries_fastest",
            "problem",
            "cpu_ms",
            sqlite_where=text("cpu_ms IS NOT NULL"),
            postgresql_where=text("cpu_ms IS NOT NULL"),
        ),
    )


class Rank(Base):
    """How many problems a learner has solved, and when the last of them."""

    __tablename__ = "ranks"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, autoincrement=False)
    solved: Mapped[int]
    last_at: Mapped[datetime | None]

    __table_args__ = (Index("ix_ranks_solved", "solved"),)


class ProblemCount(Base):
    """Judged submissions to a problem, in parts that are counted apart."""

    __tablename__ = "problem_counts"
    problem: Mapped[str] = mapped_column(String(80), primary_key=True)
    part: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    judged: Mapped[int]
    accepted: Mapped[int]


class WorkerSeen(Base):
    """A sign of life of a process that judges, and whether its room stands."""

    __tablename__ = "workers"
    owner: Mapped[str] = mapped_column(String(120), primary_key=True)
    seen_at: Mapped[datetime] = mapped_column(default=now)
    room: Mapped[str] = mapped_column(String(16))  # opening, ready, unavailable
    trouble: Mapped[str] = mapped_column(Text, default="")
    numbers: Mapped[dict[str, Any] | None]  # what it has counted, as `Tally.to_json` writes it


class GaveUp(Base):
    """A learner has asked for the solution before solving."""

    __tablename__ = "gave_up"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    problem: Mapped[str] = mapped_column(String(80), primary_key=True)
    at: Mapped[datetime] = mapped_column(default=now)


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
    def write(self) -> Iterator[Session]:
        """A session that commits at the end, all of it or nothing."""
        with Session(self.engine.execution_options(write=True), expire_on_commit=False) as session, session.begin():
            yield session

    def close(self) -> None:
        """Give every connection back."""
        self.engine.dispose()


def clock(session: Session) -> datetime:
    """This moment by the one clock that every process shares: PostgreSQL's; with SQLite all of them run on one machine anyway."""
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
    return f"(statement_timestamp() + make_interval(secs => {compiler.process(element.clauses, **kw)}))"


@compiles(later, "sqlite")
def _sqlite_later(element: later, compiler: SQLCompiler, **kw: Any) -> str:
    return f"later({compiler.process(element.clauses, **kw)})"


def _later(seconds: float) -> str:
    return (now() + timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M:%S.%f")  # as SQLAlchemy writes it


# A connection whose other end has vanished is noticed within about ten seconds, not after the kernel's two hours.
WATCHED = {"connect_timeout": 5, "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3, "tcp_user_timeout": 10_000}


def open_database(url: str, busy_timeout: float = 5.0, pool: int = 40) -> Database:
    """Connect. SQLite gets its pragmas and explicit transactions; PostgreSQL a small pool that grows, and short waits."""
    if not url.startswith("sqlite"):
        wait = {"pool_size": 5, "max_overflow": pool, "pool_timeout": busy_timeout}
        # jit: none of ours runs for long enough to be worth compiling
        options = {"options": f"-c lock_timeout={max(1, round(busy_timeout * 1000))} -c jit=off"}
        engine = create_engine(url, connect_args=WATCHED | options, **wait)
        event.listen(engine, "checkin", _rested)
        event.listen(engine, "checkout", partial(_look, engine.dialect))
        return Database(engine)
    private_database(url)
    engine = create_engine(url, connect_args={"timeout": busy_timeout, "check_same_thread": False}, pool_size=pool, max_overflow=8)
    event.listen(engine, "connect", _sqlite_connect)
    event.listen(engine, "begin", _sqlite_begin)
    return Database(engine)


RESTED_S = 1.0  # a connection that was used so lately is used again without a look; that costs a question each time


def _rested(connection: Any, record: Any) -> None:
    record.info["since"] = time.monotonic()


def _look(dialect: Dialect, connection: Any, record: Any, proxy: Any) -> None:
    """Before a connection that has rested is used again, see that PostgreSQL is still there; otherwise the pool opens another."""
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
    connection.execute("PRAGMA synchronous = NORMAL")  # in WAL: survives the process's death at any instant


def _sqlite_begin(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("write") else "BEGIN")
