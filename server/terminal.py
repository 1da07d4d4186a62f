"""Errors as a terminal shows them."""

import contextlib
from collections.abc import Iterator

import click
from alembic.util import CommandError
from sqlalchemy.exc import DatabaseError, OperationalError

from grader.errors import GradeError

MIGRATE = "`flask --app server db upgrade` migrates it"


@contextlib.contextmanager
def reported_errors() -> Iterator[None]:
    """Reports our errors as one line and status 2, without a traceback."""
    try:
        yield
    except GradeError as error:
        raise click.ClickException(str(error)) from None
    except CommandError as error:  # Alembic's, without a remedy
        behind = "not up to date" in str(error)
        words = f"{str(error).rstrip('.')}; {MIGRATE}" if behind else str(error)
        raise click.ClickException(words) from None
    except UnicodeEncodeError:
        raise click.ClickException("what was typed is not UTF-8 text") from None
    except DatabaseError as error:
        cause = str(error.__cause__ or error).strip().partition("\n")[0]
        remedy = _remedy(cause)
        if not remedy and not isinstance(error, OperationalError):
            raise  # a defect of ours
        remedy = remedy or "see JUDGE_DATABASE_URL, and whether its server runs"
        words = f"the database cannot be used: {cause}; {remedy}"
        raise click.ClickException(words) from None


def _remedy(cause: str) -> str:
    """Returns what to do about what SQLite or PostgreSQL says; empty when that is not known."""
    if "no such" in cause or "does not exist" in cause:  # a table or a column
        return MIGRATE
    if "database is locked" in cause:
        return "another process writes to it; try again in a moment"
    if "not a database" in cause:
        return "JUDGE_DATABASE_URL names another file"
    if "disk is full" in cause or "No space left" in cause:
        return "make room on its disk; nothing was stored"
    if "readonly" in cause:
        return "let this account write the file and its folder"
    return ""
