"""`flask --app server …`: db, users, bank, worker, serve, backup, restore, retain, lti.

May know everything of the service but the module that puts it together.
"""

from flask import Flask

from server.cli.accounts import users
from server.cli.bank import bank
from server.cli.database import backup, db, restore, retain
from server.cli.processes import prepare, serve, worker
from server.lti.cli import lti

__all__ = ["prepare", "register"]


def register(app: Flask) -> None:
    """Adds the commands."""
    for command in (db, users, bank, worker, serve, backup, restore, retain, lti):
        app.cli.add_command(command)
