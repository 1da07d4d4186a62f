"""`flask --app server bank`: the problem bank."""

import click
from flask.cli import AppGroup, with_appcontext

from server.terminal import reported_errors
from server.web.context import service

bank = AppGroup("bank", help="The problem bank.")


@bank.command("sync")
@with_appcontext
def bank_sync() -> None:
    """Take over what lies on disk; a running server notices within a second."""
    with reported_errors():
        synced = service().bank.sync()
    for change in ("added", "changed", "removed"):
        for slug in getattr(synced, change):
            click.echo(f"{change:8} {slug}")
    for fault in synced.faults.values():
        click.echo(f"fault    {fault}", err=True)
    click.echo(f"{len(service().bank.problems())} problems.")
    if synced.faults:
        raise SystemExit(2)
