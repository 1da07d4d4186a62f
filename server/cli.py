"""`flask --app server …`: db, users, bank, worker, serve, backup, restore, lti."""

import contextlib
import gc
import logging
import secrets
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import click
from alembic.util import CommandError
from flask import Flask
from flask.cli import AppGroup, with_appcontext
from sqlalchemy.exc import OperationalError

from grader import storage
from grader.errors import GradeError
from server.lti.cli import lti
from server.models import migrations
from server.models.accounts import Role
from server.ops import backup as backups
from server.ops import logs, retention
from server.services import accounts, password_resets
from server.services.audit import note
from server.services.problems.bank import Synced
from server.web.context import Service, service

log = logging.getLogger("server")


def register(app: Flask) -> None:
    """Add the commands."""
    for command in (db, users, bank, worker, serve, backup, restore, retain, lti):
        app.cli.add_command(command)


@contextlib.contextmanager
def told() -> Iterator[None]:
    """Our errors as one line and status 2, without a traceback."""
    try:
        yield
    except (GradeError, CommandError) as error:
        raise click.ClickException(str(error)) from None
    except OperationalError as error:
        raise click.ClickException(
            f"the database cannot be used: {error.__cause__ or error}; `flask --app server db"
            " upgrade` migrates it"
        ) from None


def prepare(running: Service) -> Synced:
    """Before serving or judging: logs, the schema, the bank."""
    logs.set_up(running.settings.log_level)
    migrations.upgrade(running.database)
    synced = running.bank.sync()
    fields = {
        "added": len(synced.added),
        "changed": len(synced.changed),
        "removed": len(synced.removed),
        "faults": synced.faults,
    }
    log.info("bank", extra={"fields": fields})
    storage.installation_secret()
    if storage.trouble():
        log.warning("secret", extra={"fields": {"trouble": storage.trouble()}})
    # what is loaded by now stays; looking through it again and again made a page in a few dozen
    # slow
    gc.freeze()
    return synced


db = AppGroup("db", help="The database's schema.")


@db.command("upgrade")
@click.argument("revision", default="head")
@with_appcontext
def db_upgrade(revision: str) -> None:
    """Migrate to REVISION (default: the latest). Nothing happens when it is there."""
    with told():
        migrations.upgrade(service().database, revision)
    click.echo(f"The database is at revision {migrations.current(service().database)}.")


@db.command("downgrade")
@click.argument("revision")
@with_appcontext
def db_downgrade(revision: str) -> None:
    """Go back to REVISION (`base`: no tables, nothing kept)."""
    with told():
        migrations.downgrade(service().database, revision)
    click.echo(f"The database is at revision {migrations.current(service().database)}.")


@db.command("check")
@with_appcontext
def db_check() -> None:
    """Fail when the models have moved on from the last revision."""
    with told():
        migrations.check(service().database)


@db.command("revise")
@click.argument("message")
@with_appcontext
def db_revise(message: str) -> None:
    """Write the next revision from the models (for developers)."""
    with told():
        migrations.revise(service().database, message)


users = AppGroup("users", help="Accounts.")


@users.command("add")
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role]),
    default=Role.LEARNER.value,
    show_default=True,
)
@click.option("--token", is_flag=True, help="Print an API token instead of the password.")
@with_appcontext
def users_add(name: str, role: str, token: bool) -> None:
    """Make an account; its password (or token) is printed once."""
    password = secrets.token_urlsafe(12)
    with told(), service().database.write() as session:
        user = accounts.add_user(session, name, password, Role(role))
        note(session, None, "account", user.name, role=role)
        shown = accounts.make_token(session, user, "made with the account") if token else password
    click.echo(shown)


@users.command("invite")
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role]),
    default=Role.LEARNER.value,
    show_default=True,
)
@with_appcontext
def users_invite(role: str) -> None:
    """Print an invitation code with which one account of ROLE can be made."""
    with told(), service().database.write() as session:
        code = accounts.invite(session, Role(role), None)
        note(session, None, "invitation", role)
    click.echo(code)


@users.command("reset")
@click.argument("name")
@with_appcontext
def users_reset(name: str) -> None:
    """Print the path of a link that sets a new password for NAME."""
    with told(), service().database.write() as session:
        user = accounts.find_user(session, name)
        if user is None:
            raise click.ClickException(f"there is no account '{name}'")
        if not user.active:
            raise click.ClickException(
                f"the account '{name}' is closed; an admin opens it again under Manage"
            )
        code = password_resets.make(session, user, None)
    click.echo(f"/reset/{code}")


bank = AppGroup("bank", help="The problem bank.")


@bank.command("sync")
@with_appcontext
def bank_sync() -> None:
    """Take over what lies on disk; a running server notices within a second."""
    with told():
        synced = service().bank.sync()
    for what in ("added", "changed", "removed"):
        for slug in getattr(synced, what):
            click.echo(f"{what:8} {slug}")
    for fault in synced.faults.values():
        click.echo(f"fault    {fault}", err=True)
    click.echo(f"{len(service().bank.problems())} problems.")
    if synced.faults:
        raise SystemExit(2)


@click.command("worker")
@with_appcontext
def worker() -> None:
    """Judge what is queued, without serving pages, until interrupted.

    With JUDGE_BROKER_URL: as a Celery worker.
    """
    settings = service().settings
    if settings.broker_url:
        from server.worker.dispatch import work

        service().database.close()  # the processes that Celery forks open their own
        work(settings)
        return
    with told():
        prepare(service())
        service().worker.start()
    _wait_for_the_end()
    service().worker.stop()


@click.command("serve")
@click.option("--host", "-h", default="127.0.0.1", show_default=True)
@click.option("--port", "-p", default=8000, show_default=True)
@with_appcontext
def serve(host: str, port: int) -> None:
    """Migrate, load the bank, make the first account's invitation, judge, and serve with Waitress."""
    from flask import current_app

    from server.web import waitress_server

    running = service()
    with told():
        prepare(running)
        with running.database.write() as session:
            code = accounts.first_invitation(session)
        try:
            app = current_app._get_current_object()  # type: ignore[attr-defined]
            server = waitress_server.create(app, host, port, running.settings.threads)
        except OSError as error:
            raise click.ClickException(
                f"cannot serve on {host}:{port}: {error.strerror}; choose another port with --port"
            ) from None
        if running.settings.workers and not running.settings.broker_url:
            running.worker.start()
    address = f"http://{host}:{port}"
    click.echo(f"{running.settings.title}: {address}  (Ctrl-C ends it)")
    if code:
        click.echo(f"Make the first account, an admin: {address}/sign-up?invitation={code}")
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        server.run()
    except KeyboardInterrupt:
        pass
    finally:
        server.close()
        running.worker.stop()


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@with_appcontext
def backup(file: Path) -> None:
    """Write the whole database to FILE (readable by you only); the server may go on meanwhile."""
    with told():
        counts = backups.backup(service().database, file)
        with service().database.write() as session:
            note(session, None, "backup", file.name)
    click.echo(f"{file}: {sum(counts.values())} rows of {len(counts)} tables.")


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@with_appcontext
def restore(file: Path) -> None:
    """Fill an empty database from FILE, then migrate it. Stop the server first."""
    with told():
        counts = backups.restore(service().database, file)
    click.echo(f"{sum(counts.values())} rows of {len(counts)} tables are back.")


@click.command("retain")
@click.option(
    "--older-than",
    "days",
    type=click.IntRange(min=1),
    required=True,
    help="In days since the verdict.",
)
@click.option("--dry-run", is_flag=True, help="Only count.")
@with_appcontext
def retain(days: int, dry_run: bool) -> None:
    """Forget sources and case details of old submissions; verdicts and scores stay (docs/running.md
    says what is kept whole).
    """
    with told():
        forgotten = retention.retain(service().database, days, dry=dry_run)
        if not dry_run:
            with service().database.write() as session:
                note(
                    session,
                    None,
                    "retain",
                    f"older than {days} days",
                    submissions=forgotten.submissions,
                )
    would = "would be forgotten" if dry_run else "are forgotten"
    click.echo(
        f"Sources and case details of {forgotten.submissions:,} submissions {would}; verdicts and"
        " scores stay."
    )
    click.echo(f"Details of {forgotten.rejudged:,} verdicts of closed rejudges {would}.")


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def _wait_for_the_end() -> None:
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    ended.wait()
