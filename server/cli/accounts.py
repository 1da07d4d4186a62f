"""`flask --app server users`: accounts."""

import secrets

import click
from flask.cli import AppGroup, with_appcontext
from sqlalchemy.orm import Session

from server.models.accounts import Role, User
from server.services import accounts, authority, password_resets
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


@users.command("change")
@click.argument("name")
@click.option("--role", type=click.Choice([role.value for role in Role]), help="Another role.")
@click.option("--close", "active", flag_value="no", help="Nobody can sign in with it any more.")
@click.option("--open", "active", flag_value="yes", help="It was closed, and can be used again.")
@click.option("--reason", required=True, help="The audit log and the account's person read it.")
@with_appcontext
def users_change(name: str, role: str | None, active: str | None, reason: str) -> None:
    """Give NAME another role, close the account, or open it again; all its access ends."""
    if role is None and active is None:
        raise click.UsageError("say what to change: --role, --close or --open")
    with reported_errors(), service().database.write() as session:
        user = _account(session, name)
        wanted = Role(role or user.role)
        stays = user.active if active is None else active == "yes"
        authority.change_role(session, None, user, wanted, stays, reason)
        state = "open" if user.active else "closed"
    click.echo(f"{user.name}: {wanted}, {state}")


@users.command("reset")
@click.argument("name")
@with_appcontext
def users_reset(name: str) -> None:
    """Print the path of a link that sets a new password for NAME."""
    with reported_errors(), service().database.write() as session:
        user = _account(session, name)
        if not user.active:
            raise click.ClickException(
                f"the account '{name}' is closed; `users change {name} --open` opens it again"
            )
        code = password_resets.make(session, user, None)
    click.echo(f"/reset/{code}")


def _account(session: Session, name: str) -> User:
    user = accounts.find_user(session, name)
    if user is None:
        raise click.ClickException(f"there is no account '{name}'")
    return user
