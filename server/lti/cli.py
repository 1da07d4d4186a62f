"""`flask --app server lti …`: an admin registers learning platforms."""

import click
from flask.cli import AppGroup, with_appcontext
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from server.lti import platforms
from server.lti.registry import key_of, make_key
from server.models.lti import LtiKey, LtiPlatform
from server.services.audit import note
from server.terminal import reported_errors
from server.web.context import service

lti = AppGroup("lti", help="Learning platforms (LTI 1.3).")


@lti.command("add")
@click.argument("name")
@click.option("--issuer", required=True, help="How the platform calls itself (`iss`).")
@click.option("--client-id", required=True, help="How it calls this service (`client_id`).")
@click.option("--auth-url", required=True, help="Its OIDC authentication address.")
@click.option("--token-url", required=True, help="Where it gives access tokens.")
@click.option("--jwks-url", required=True, help="Its public keys.")
@click.option(
    "--deployment",
    "deployments",
    multiple=True,
    required=True,
    help="A deployment id; may be given several times.",
)
@click.option(
    "--audience", default="", help="Audience of token requests, where it is not the token address."
)
@click.option(
    "--zone", default="UTC", show_default=True, help="Time zone of courses that begin there."
)
@click.option(
    "--instructors/--no-instructors",
    default=True,
    show_default=True,
    help="Whether its teachers become instructors here.",
)
@with_appcontext
def add(
    name: str,
    issuer: str,
    client_id: str,
    zone: str,
    deployments: tuple[str, ...],
    instructors: bool,
    **urls: str,
) -> None:
    """Register the platform NAME. What to enter there is printed."""
    more = {"audience": urls["audience"], "zone": zone, "instructors": "yes" if instructors else ""}
    try:
        with reported_errors():
            key_of(service().database)
            with service().database.write() as session:
                platforms.register(
                    session, None, name, issuer, client_id, urls, list(deployments), **more
                )
    except IntegrityError:
        raise click.ClickException(
            f"a platform is called '{name}' already, or has this issuer and client id"
        ) from None
    click.echo(f"{name} is registered. Enter there, with the address of this service before each:")
    for label, path in (
        ("login initiation", "/lti/login"),
        ("launch, redirect and target link", "/lti/launch"),
        ("public keys", "/lti/keys"),
    ):
        click.echo(f"  {path:12} {label}")
    click.echo("and let it open in a new tab or window: these pages are shown in no frame.")


def _find(session: Session, name: str) -> LtiPlatform:
    platform = session.scalar(select(LtiPlatform).where(LtiPlatform.name == name))
    if platform is None:
        raise click.ClickException(f"there is no platform '{name}'; `lti list` shows them")
    return platform


@lti.command("list")
@with_appcontext
def show() -> None:
    """The platforms that are registered."""
    with reported_errors(), service().database.read() as session:
        rows = session.scalars(select(LtiPlatform).order_by(LtiPlatform.name)).all()
        if not rows:
            click.echo("No platform is registered; `lti add` registers one.")
        for row in rows:
            makes = "" if row.instructors else "  (makes no instructors)"
            click.echo(
                f"{row.name}: {row.issuer} client {row.client_id}, deployments"
                f" {', '.join(row.deployments)}{makes}"
            )


@lti.command("deploy")
@click.argument("name")
@click.argument("deployment")
@with_appcontext
def deploy(name: str, deployment: str) -> None:
    """Accept a further DEPLOYMENT id of the platform NAME."""
    with reported_errors(), service().database.write() as session:
        platforms.deploy(session, None, _find(session, name), deployment)


@lti.command("remove")
@click.argument("name")
@with_appcontext
def remove(name: str) -> None:
    """Let the platform NAME in no longer.

    Accounts, courses and scores stay; a platform to which scores go is kept, closed.
    """
    with reported_errors(), service().database.write() as session:
        gone = platforms.remove(session, None, _find(session, name), "removed")
    stays = (
        f"{name} is let in no longer. It stays listed, as scores go back to it; what waits is still"
        " sent."
    )
    click.echo(f"{name} is removed." if gone else stays)


@lti.command("new-key")
@with_appcontext
def new_key() -> None:
    """Sign with another key from now on; earlier ones can still be read at /lti/keys."""
    with reported_errors(), service().database.write() as session:
        session.add(LtiKey(private_pem=make_key()))
        note(session, None, "platform", "a new key", "")
    click.echo("done")
