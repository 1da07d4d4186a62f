"""The database's schema through its revisions: Alembic, with this project's own engine and without
an ini file.
"""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from grader.errors import UsageError
from server.models.database import Database

UPGRADING = 7_106_843  # the number of the lock that an upgrade holds
FOLDER = Path(__file__).parents[1] / "migrations"


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    config.set_main_option("path_separator", "os")
    return config


def _configured(connection: Connection) -> Config:
    """Returns the configuration for a database that this program knows; raises `UsageError` for
    one that a newer program has migrated.
    """
    at, known = _current(connection), revisions()
    if at not in (None, *known):
        raise UsageError(
            f"the database is at revision {at}, and this program knows none after {known[-1]}: a"
            " newer version has migrated it; update this program, or restore a backup from before"
        )
    config = _config()
    config.attributes["connection"] = connection
    return config


def upgrade(database: Database, revision: str = "head") -> None:
    """Bring the schema to `revision`; nothing happens when it is there.

    Several processes may ask at once.
    """
    with database.engine.execution_options(write=True).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({UPGRADING})"))
        config = _configured(connection)
        command.upgrade(config, revision)


def downgrade(database: Database, revision: str) -> None:
    """Bring the schema back to an earlier `revision` (`base`: empty)."""
    with database.engine.execution_options(write=True).begin() as connection:
        config = _configured(connection)
        command.downgrade(config, revision)


def check(database: Database) -> None:
    """Raises `alembic.util.CommandError` when the models have moved on from the last revision."""
    with database.engine.execution_options(write=True).begin() as connection:
        config = _configured(connection)
        command.check(config)


def revise(database: Database, message: str) -> None:
    """Write the next revision from what the models have and the database has not."""
    with database.engine.execution_options(write=True).begin() as connection:
        config = _configured(connection)
        command.revision(
            config, message=message, autogenerate=True, rev_id=f"{len(revisions()) + 1:04d}"
        )


def revisions() -> list[str]:
    """Every revision, the first first."""
    return [
        s.revision for s in reversed(list(ScriptDirectory.from_config(_config()).walk_revisions()))
    ]


def current(database: Database) -> str | None:
    """The revision that the database is at; None when it is empty."""
    with database.engine.connect() as connection:
        return _current(connection)


def _current(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def require(database: Database) -> None:
    """Raises `UsageError` when the schema is older than this program."""
    at, known = current(database), revisions()
    if at is None or at in known[:-1]:
        raise UsageError(
            f"the database is {f'at revision {at}' if at else 'empty'}, and this program needs"
            f" revision {known[-1]}; `flask --app server db upgrade` migrates it"
        )
