"""`flask --app server …`: db, users, bank, worker, serve, backup, restore, retain, lti.

May know everything of the service but the module that puts it together.
"""

from collections.abc import Callable

from flask import Flask

from server.cli.accounts import users
from server.cli.bank import bank
from server.cli.database import backup, db, restore, retain
from server.cli.processes import CREATE, prepare, serve, worker
from server.lti.cli import lti
from server.settings import Settings

__all__ = ["prepare", "register"]


def register(app: Flask, create_app: Callable[[Settings], Flask]) -> None:
    """Adds the commands. The processes of a Celery worker call `create_app`, each for itself."""
    app.extensions[CREATE] = create_app
    for command in (db, users, bank, worker, serve, backup, restore, retain, lti):
        app.cli.add_command(command)
