"""What an operator reads in a terminal when a command cannot do its work."""

import signal
import sqlite3
from pathlib import Path
from typing import Any

import click
import pytest
from sqlalchemy.exc import IntegrityError, OperationalError

from server.cli import processes
from server.models.database import open_database
from server.terminal import reported_errors
from server.web.context import NAME
from server.web.serving import waitress_server
from tests.server.conftest import MakeApp, sqlite_only


def failing(folder: Path, lock: bool = False, junk: bytes = b"") -> None:
    """Asks a database of SQLite for a table: without one, locked, or not a database at all."""
    file = folder / "judge.sqlite3"
    if junk:
        file.write_bytes(junk)
    database = open_database(f"sqlite:///{file}", busy_timeout=0.1)
    other = sqlite3.connect(file, isolation_level=None)
    try:
        if lock:
            other.execute("BEGIN IMMEDIATE")
        with database.write() as session:
            session.connection().exec_driver_sql("SELECT * FROM users")
    finally:
        other.close()
        database.close()


@pytest.mark.parametrize(
    ("trouble", "remedy"),
    [
        ({}, "`flask --app server db upgrade` migrates it"),
        ({"lock": True}, "another process writes to it; try again in a moment"),
        ({"junk": b"not a database" * 9}, "JUDGE_DATABASE_URL names another file"),
    ],
    ids=["no table", "locked", "another file"],
)
def test_each_trouble_of_a_database_has_its_remedy(
    tmp_path: Path, trouble: dict[str, Any], remedy: str
) -> None:
    with pytest.raises(click.ClickException) as error, reported_errors():
        failing(tmp_path, **trouble)
    assert error.value.message.startswith("the database cannot be used: ")
    assert error.value.message.endswith(remedy)


LTI = {
    "list": (),
    "remove": ("campus",),
    "deploy": ("campus", "1"),
    "new-key": (),
    "add": (
        *("campus", "--issuer", "https://campus.example", "--client-id", "judge"),
        *("--auth-url", "https://campus.example/auth", "--token-url", "https://campus.example/t"),
        *("--jwks-url", "https://campus.example/keys", "--deployment", "1"),
    ),
}


@sqlite_only
@pytest.mark.parametrize("command", LTI)
def test_a_command_about_platforms_needs_the_tables(app: Any, command: str) -> None:
    with app.extensions[NAME].database.write() as session:
        for table in ("lti_platforms", "lti_keys"):
            session.connection().exec_driver_sql(f"ALTER TABLE {table} RENAME TO old_{table}")
    refused = app.test_cli_runner().invoke(args=["lti", command, *LTI[command]])
    assert (refused.exit_code, refused.output.count("\n")) == (1, 1), refused.output
    assert "`flask --app server db upgrade` migrates it" in refused.output


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        ("database or disk is full", "disk is full; make room on its disk; nothing was stored"),
        ("attempt to write a readonly database", "let this account write the file and its folder"),
        ("connection refused\n\tIs the server running?", "refused; see JUDGE_DATABASE_URL, and"),
    ],
)
def test_other_troubles_of_a_database_are_one_line(cause: str, said: str) -> None:
    with pytest.raises(click.ClickException) as error, reported_errors():
        raise OperationalError("INSERT", {}, Exception(cause)) from Exception(cause)
    assert said in error.value.message and "\n" not in error.value.message


def test_a_defect_of_ours_keeps_its_trace() -> None:
    with pytest.raises(IntegrityError), reported_errors():
        raise IntegrityError("INSERT", {}, Exception("UNIQUE constraint failed"))


@sqlite_only
def test_a_name_that_is_not_text_is_one_line(app: Any) -> None:
    refused = app.test_cli_runner().invoke(args=["users", "reset", "half \udcff"])
    assert (refused.exit_code, refused.output) == (1, "Error: what was typed is not UTF-8 text\n")


@sqlite_only
@pytest.mark.parametrize("command", [["upgrade"], ["downgrade", "0030"], ["check"]])
def test_a_database_that_a_newer_program_has_migrated(app: Any, command: list[str]) -> None:
    with app.extensions[NAME].database.write() as session:
        session.connection().exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    refused = app.test_cli_runner().invoke(args=["db", *command])
    assert (refused.exit_code, refused.output.count("\n")) == (1, 1), refused.output
    assert "at revision 9999" in refused.output and "update this program" in refused.output


@sqlite_only
def test_a_check_of_an_older_database_says_how_to_migrate_it(app: Any) -> None:
    app.test_cli_runner().invoke(args=["db", "downgrade", "0030"])
    refused = app.test_cli_runner().invoke(args=["db", "check"])
    assert refused.output == (
        "Error: Target database is not up to date; `flask --app server db upgrade` migrates it\n"
    )


def test_days_beyond_all_measure(app: Any) -> None:
    refused = app.test_cli_runner().invoke(args=["retain", "--older-than", "99999999999"])
    assert (refused.exit_code, "is not in the range" in refused.output) == (2, True)


@sqlite_only
@pytest.mark.parametrize(
    ("revision", "said"), [("0030", "is at revision 0030"), ("base", "is empty")]
)
def test_a_worker_of_celery_needs_the_tables(make_app: MakeApp, revision: str, said: str) -> None:
    app = make_app(work=False, broker_url="redis://127.0.0.1:1/0")
    app.test_cli_runner().invoke(args=["db", "downgrade", revision])
    refused = app.test_cli_runner().invoke(args=["worker"])
    assert (refused.exit_code, refused.output.count("\n")) == (1, 1), refused.output
    assert said in refused.output and "`flask --app server db upgrade`" in refused.output


class Interrupted:
    """A server that is ended at once."""

    def run(self) -> None:
        raise KeyboardInterrupt

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({}, None),
        ({"https": True, "proxies": 1}, "not here."),
        ({"https": True}, "all of them count as one address"),
    ],
)
def test_serve_says_where_people_sign_in(
    make_app: MakeApp,
    monkeypatch: pytest.MonkeyPatch,
    settings: dict[str, Any],
    said: str | None,
) -> None:
    monkeypatch.setattr(processes, "prepare", lambda running: None)
    monkeypatch.setattr(waitress_server, "create", lambda *_: Interrupted())
    app, before = make_app(work=False, workers=0, **settings), signal.getsignal(signal.SIGTERM)
    try:
        ended = app.test_cli_runner().invoke(args=["serve"])
    finally:
        signal.signal(signal.SIGTERM, before)
    assert ended.exit_code == 0, ended.output
    assert said in ended.output if said else "JUDGE_HTTPS" not in ended.output
