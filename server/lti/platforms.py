"""Learning platforms as an admin keeps them, by command or on the page: register, deploy, remove.

Each is in the audit log.
"""

from collections.abc import Mapping
from urllib.parse import urlsplit

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from grader.errors import UsageError
from server.messages import Message
from server.models.lti import LtiContext, LtiLine, LtiPlatform
from server.services.audit import note
from server.services.courses.timezones import zone_of

URLS = {
    "auth_url": Message("authentication address"),
    "token_url": Message("token address"),
    "jwks_url": Message("address of public keys"),
}


def register(
    session: Session,
    by: int | None,
    name: str,
    issuer: str,
    client_id: str,
    urls: Mapping[str, str],
    deployments: list[str],
    **more: str,
) -> LtiPlatform:
    """Add a platform; `more`: audience, zone, and `instructors` ("" for none).

    Raises `UsageError` naming what is wrong.
    """
    for field, text, most in (
        (Message("the name"), name, 80),
        (Message("the issuer"), issuer, 255),
        (Message("the client id"), client_id, 255),
    ):
        if not text or len(text) > most or not text.isprintable():
            raise UsageError(
                Message("%(field)s must have 1 to %(most)s characters", field=field, most=most)
            )
    if not deployments or not all(
        deployment and deployment.isprintable() for deployment in deployments
    ):
        raise UsageError(Message("a platform needs at least one deployment id"))
    audience = more.get("audience", "")
    if len(audience) > 2000 or not audience.isprintable():
        raise UsageError(Message("the audience of token requests must be one line"))
    checked = {
        key: _check(field, urls.get(key, ""), query=key != "auth_url")
        for key, field in URLS.items()
    }
    if session.scalar(select(LtiPlatform.id).where(LtiPlatform.name == name)) is not None:
        raise UsageError(Message("a platform is called '%(name)s' already", name=name))
    known = select(LtiPlatform.name).where(
        LtiPlatform.issuer == issuer, LtiPlatform.client_id == client_id
    )
    other = session.scalar(known)
    if other is not None:
        raise UsageError(Message("'%(name)s' has this issuer and client id already", name=other))
    row = LtiPlatform(
        name=name,
        issuer=issuer,
        client_id=client_id,
        deployments=deployments,
        zone=zone_of(more.get("zone", "UTC")).key,
        audience=audience,
        instructors=bool(more.get("instructors", "yes")),
        **checked,
    )
    session.add(row)
    note(session, by, "platform", name, "", issuer=issuer, client=client_id)
    return row


def _check(field: str, url: str, *, query: bool = True) -> str:
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        raise UsageError(
            Message("%(field)s: '%(url)s' is not a valid https address", field=field, url=url[:200])
        ) from None
    local = host in ("127.0.0.1", "localhost", "::1")
    if (
        not host
        or not url.isprintable()
        or len(url) > 2000
        or not (parts.scheme == "https" or (parts.scheme == "http" and local))
    ):
        raise UsageError(
            Message("%(field)s: '%(url)s' is not a valid https address", field=field, url=url[:200])
        )
    if parts.fragment or (parts.query and not query):
        raise UsageError(
            Message(
                "%(field)s: '%(url)s' must have nothing after '?' or '#'",
                field=field,
                url=url[:200],
            )
        )
    return url


def deploy(session: Session, by: int | None, row: LtiPlatform, deployment: str) -> None:
    """Let the platform in under a further deployment id. Raises `UsageError` for none."""
    if not deployment or not deployment.isprintable():
        raise UsageError(Message("write the deployment id as the platform shows it"))
    if len(deployment) > 255:
        field = Message("the deployment id")
        raise UsageError(
            Message("%(field)s must have 1 to %(most)s characters", field=field, most=255)
        )
    row.deployments = sorted({*row.deployments, deployment})
    note(session, by, "platform", row.name, "", deployment=deployment)


def remove(session: Session, by: int | None, row: LtiPlatform, reason: str) -> bool:
    """Let it in no longer.

    False when it stays listed, closed: scores go back to it, and what waits is still sent.
    """
    note(session, by, "platform", row.name, reason, removed=row.issuer)
    if session.scalar(select(LtiLine.id).where(LtiLine.platform_id == row.id).limit(1)) is not None:
        row.deployments = []  # no launch has a deployment that is in here
        return False
    session.execute(delete(LtiContext).where(LtiContext.platform_id == row.id))
    session.delete(row)
    return True
