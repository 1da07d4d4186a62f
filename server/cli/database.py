"""`flask --app server db`, `backup`, `restore` and `retain`: the schema, and what is kept."""

from pathlib import Path

import click
from flask.cli import AppGroup, with_appcontext
from sqlalchemy.exc import SQLAlchemyError

from server.models import migrations
from server.ops import backup as backups
from server.ops import retention
from server.services.audit import note
from server.terminal import reported_errors
from server.web.context import service

db = AppGroup("db", help="The database's schema.")


@db.command("upgrade")
@click.argument("revision", default="head")
@with_appcontext
def db_upgrade(revision: str) -> None:
    """Migrate to REVISION (default: the latest). Nothing happens when it is there."""
    with reported_errors():
        migrations.upgrade(service().database, revision)
    click.echo(f"The database is at revision {migrations.current(service().database)}.")


@db.command("downgrade")
@click.argument("revision")
@with_appcontext
def db_downgrade(revision: str) -> None:
    """Go back to REVISION (`base`: no tables, nothing kept)."""
    with reported_errors():
        migrations.downgrade(service().database, revision)
    click.echo(f"The database is at revision {migrations.current(service().database)}.")


@db.command("check")
@with_appcontext
def db_check() -> None:
    """Fail when the models have moved on from the last revision."""
    with reported_errors():
        migrations.check(service().database)


@db.command("revise")
@click.argument("message")
@with_appcontext
def db_revise(message: str) -> None:
    """Write the next revision from the models (for developers)."""
    with reported_errors():
        migrations.revise(service().database, message)


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@with_appcontext
def backup(file: Path) -> None:
    """Write the whole database to FILE (readable by you only); the server may go on meanwhile."""
    with reported_errors():
        counts = backups.backup(service().database, file)
    click.echo(f"{file}: {sum(counts.values())} rows of {len(counts)} tables.")
    try:
        with service().database.write() as session:
            note(session, None, "backup", file.name)
    except SQLAlchemyError as error:  # locked or read-only: the more is the file needed
        cause = str(error.__cause__ or error).strip()
        click.echo(f"The file is whole, but the audit log has no line of it: {cause}", err=True)


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path))
@with_appcontext
def restore(file: Path) -> None:
    """Fill an empty database from FILE, then migrate it. Stop the server first."""
    with reported_errors():
        counts = backups.restore(service().database, file)
    click.echo(f"{sum(counts.values())} rows of {len(counts)} tables are back.")


@click.command("retain")
@click.option(
    "--older-than",
    "days",
    type=click.IntRange(1, 36_500),
    required=True,
    help="In days since the verdict.",
)
@click.option("--dry-run", is_flag=True, help="Only count.")
@with_appcontext
def retain(days: int, dry_run: bool) -> None:
    """Forget sources and case details of old submissions; verdicts and scores stay (docs/running.md
    says what is kept whole).
    """
    with reported_errors():
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
