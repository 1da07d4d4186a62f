"""Errors as a terminal shows them."""

import contextlib
from collections.abc import Iterator

import click
from alembic.util import CommandError
from sqlalchemy.exc import OperationalError

from grader.errors import GradeError


@contextlib.contextmanager
def reported_errors() -> Iterator[None]:
    """Reports our errors as one line and status 2, without a traceback."""
    try:
        yield
    except (GradeError, CommandError) as error:
        raise click.ClickException(str(error)) from None
    except OperationalError as error:
        raise click.ClickException(
            f"the database cannot be used: {error.__cause__ or error}; `flask --app server db"
            " upgrade` migrates it"
        ) from None
