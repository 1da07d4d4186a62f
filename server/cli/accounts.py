"""`flask --app server users`: accounts."""

import secrets

import click
from flask.cli import AppGroup, with_appcontext

from server.models.accounts import Role
from server.services import accounts, password_resets
from server.services.audit import note
from server.terminal import reported_errors
from server.web.context import service

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
    with reported_errors(), service().database.write() as session:
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
    with reported_errors(), service().database.write() as session:
        code = accounts.invite(session, Role(role), None)
        note(session, None, "invitation", role)
    click.echo(code)


@users.command("reset")
@click.argument("name")
@with_appcontext
def users_reset(name: str) -> None:
    """Print the path of a link that sets a new password for NAME."""
    with reported_errors(), service().database.write() as session:
        user = accounts.find_user(session, name)
        if user is None:
            raise click.ClickException(f"there is no account '{name}'")
        if not user.active:
            raise click.ClickException(
                f"the account '{name}' is closed; an admin opens it again under Manage"
            )
        code = password_resets.make(session, user, None)
    click.echo(f"/reset/{code}")
