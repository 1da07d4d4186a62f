"""The platforms that an admin registered, as PyLTI1p3 asks for them; and the key with which we
sign.
"""

from typing import Any

import requests
from jwcrypto.jwk import JWK
from pylti1p3.deployment import Deployment
from pylti1p3.registration import Registration
from pylti1p3.tool_config import ToolConfAbstract
from sqlalchemy import select
from sqlalchemy.orm import Session

from server.models.database import Database
from server.models.lti import LtiKey, LtiPlatform
from server.web.context import reading, service, stop_reading

TIMEOUT_S = 5.0


class web(requests.Session):
    """Requests to a platform, none of which waits for ever."""

    def request(self, *arguments: Any, **options: Any) -> requests.Response:
        """See `requests.Session`."""
        return super().request(*arguments, **{"timeout": TIMEOUT_S, **options})


def make_key() -> str:
    """A private key in PEM."""
    pem: bytes = JWK.generate(kty="RSA", size=2048).export_to_pem(private_key=True, password=None)
    return pem.decode()


def key_of(database: Database) -> str:
    """The key that signs now, in PEM; made on first use."""
    query = select(LtiKey.private_pem).order_by(LtiKey.id.desc()).limit(1)
    with database.read() as session:
        private_pem = session.scalar(query)
    if private_pem is None:
        made = make_key()
        with database.write() as session:
            private_pem = session.scalar(query)  # another process was first: its key signs
            if private_pem is None:
                session.add(LtiKey(private_pem=made))
                private_pem = made
    return private_pem


def public_keys(session: Session) -> list[dict[str, Any]]:
    """Every key as /lti/keys shows it: a platform may still hold what the last one signed."""
    pems = session.scalars(select(LtiKey.private_pem).order_by(LtiKey.id.desc())).all()
    return [dict(Registration.get_jwk(_public(pem))) for pem in pems]


def _public(private_pem: str) -> str:
    pem: bytes = JWK.from_pem(private_pem.encode()).export_to_pem()
    return pem.decode()


def find(session: Session, issuer: str, client_id: str | None) -> LtiPlatform | None:
    """The platform of that issuer and client; without a client, the only one of the issuer."""
    query = select(LtiPlatform).where(LtiPlatform.issuer == issuer)
    platforms = session.scalars(
        query.where(LtiPlatform.client_id == client_id) if client_id else query
    ).all()
    return platforms[0] if len(platforms) == 1 else None


def registration(platform: LtiPlatform, private_pem: str = "") -> Any:
    """A platform as the library has it; with the key, it can also sign."""
    registered = Registration()
    registered.set_issuer(platform.issuer).set_client_id(platform.client_id).set_auth_login_url(
        platform.auth_url
    )
    registered.set_auth_token_url(platform.token_url).set_key_set_url(platform.jwks_url)
    if platform.audience:
        registered.set_auth_audience(platform.audience)
    if private_pem:
        registered.set_tool_private_key(private_pem).set_tool_public_key(_public(private_pem))
    return registered


class Registered(ToolConfAbstract):  # type: ignore[misc]
    """The library's view of the table. What a stranger sent is looked up only when it is text."""

    def check_iss_has_one_client(self, iss: str) -> bool:
        """A platform may know us by several names."""
        return False

    def check_iss_has_many_clients(self, iss: str) -> bool:
        """So the client is always asked for."""
        return True

    def _platform(self, iss: object, client_id: object) -> LtiPlatform | None:
        if (
            not isinstance(iss, str)
            or not isinstance(client_id, str | None)
            or "\0" in iss + (client_id or "")
        ):
            return None
        platform = find(reading(), iss, client_id)
        stop_reading()  # the platform's keys are fetched next: nothing is held meanwhile
        return platform

    def find_registration_by_params(
        self, iss: str, client_id: str, *args: Any, **kwargs: Any
    ) -> Any:
        """None when it is not registered."""
        platform = self._platform(iss, client_id)
        return None if platform is None else registration(platform)

    def find_deployment_by_params(
        self, iss: str, deployment_id: str, client_id: str, *args: Any, **kwargs: Any
    ) -> Any:
        """None when the admin has not named it."""
        platform = self._platform(iss, client_id)
        return (
            Deployment().set_deployment_id(deployment_id)
            if platform is not None and deployment_id in platform.deployments
            else None
        )

    # never asked: see `check_iss_has_one_client`
    find_registration_by_issuer = find_deployment = None


def signing(platform: LtiPlatform) -> Any:
    """A registration that can sign."""
    return registration(platform, key_of(service().database))
