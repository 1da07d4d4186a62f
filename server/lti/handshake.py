"""Whether a launch is what it says: OIDC's two steps with PyLTI1p3, which checks signature, client,
deployment and message.

Nothing is written before a launch is known to be true. The state is signed by us with its time and
kept in a cookie, so a launch belongs to the browser that began it; the nonce is computed from the
state, so a token belongs to its launch; a used nonce is remembered.
"""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import jwt
from flask import request
from itsdangerous import BadData, URLSafeTimedSerializer
from jwcrypto.common import JWException
from pylti1p3.contrib.flask import (
    FlaskCookieService,
    FlaskMessageLaunch,
    FlaskOIDCLogin,
    FlaskRequest,
)
from pylti1p3.exception import LtiException, OIDCException
from pylti1p3.session import SessionService
from requests.exceptions import RequestException
from werkzeug.wrappers import Response

from grader.errors import UsageError
from server.lti.registry import Registered, web
from server.messages import Message
from server.web.context import service

STATE_S = 600  # between the two steps
LEEWAY_S = 60  # clocks differ
SIGNED = ("exp", "iat", "iss", "sub", "aud", "nonce")
CLAIM, DEEP, GRADES = (
    f"https://purl.imsglobal.org/spec/{name}/claim/" for name in ("lti", "lti-dl", "lti-ags")
)
INSTRUCTOR = ("http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor", "Instructor")
SCORE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
TEXT = 255
HOST = re.compile(r"[A-Za-z0-9.\-]+(:\d{1,5})?|\[[0-9a-fA-F:]+\](:\d{1,5})?")

_BROKEN = (
    LtiException,
    OIDCException,
    JWException,
    jwt.PyJWTError,
    RequestException,
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
)


@dataclass(frozen=True, slots=True)
class Claims:
    """What a platform says of a launch, checked in form; texts are not longer than a column."""

    issuer: str
    client: str
    deployment: str
    subject: str
    nonce: str
    name: str
    teaches: bool
    context: str
    context_title: str
    link: str
    assignment: int | None
    line: str  # where scores go; empty: nowhere
    picking: dict[str, Any] | None  # of a deep linking request: where the choice goes


def _serializer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(service().secret, salt="lti state")


def _nonce_of(state: str) -> str:
    return hmac.new(
        service().secret.encode(), f"lti nonce {state}".encode(), hashlib.sha256
    ).hexdigest()


def _asked() -> Any:
    """The request as the library sees it."""
    return FlaskRequest(request_is_secure=request.is_secure or service().settings.https)


class _Begin(FlaskOIDCLogin):  # type: ignore[misc]
    """The first step, with our state and nonce in the places of random ones."""

    def _get_uuid(self) -> str:
        self._state = _serializer().dumps(secrets.token_urlsafe(16))
        return self._state

    def _generate_nonce(self) -> str:
        return _nonce_of(f"state-{self._state}")


class _Kept(SessionService):  # type: ignore[misc]
    """The library's memory between the steps: there is none but the state."""

    def save_nonce(self, nonce: str) -> None:
        """It can be computed again."""

    def check_nonce(self, nonce: object) -> bool:
        """Whether it belongs to the state that came along."""
        return isinstance(nonce, str) and hmac.compare_digest(
            nonce.encode(), _nonce_of(request.form.get("state", "")).encode()
        )

    def check_state_is_valid(self, state: str, id_token_hash: str) -> bool:
        """Never without the cookie."""
        return False

    def set_state_valid(self, state: str, id_token_hash: str) -> None:
        """Not kept."""

    def save_launch_data(self, key: str, jwt_body: Any) -> None:
        """Not kept."""


class _Launch(FlaskMessageLaunch):  # type: ignore[misc]
    """The second step; the token must also say when it ends, and whom it is for."""

    def get_client_id(self) -> str:
        """With several audiences, the one that was meant."""
        body = self._get_jwt_body()
        audience = body.get("aud")
        if isinstance(audience, list) and len(audience) > 1:
            return str(body["azp"])
        return str(audience[0] if isinstance(audience, list) else audience)

    def validate_jwt_signature(self) -> Any:
        """By the platform's key, for us, and for now."""
        key, algorithm = self.get_public_key()
        about = {
            "audience": self.get_client_id(),
            "issuer": self.get_iss(),
            "leeway": LEEWAY_S,
            "options": {"require": list(SIGNED)},
        }
        jwt.decode(self._get_id_token(), key, algorithms=[algorithm], **about)
        return self


def begin(launch_url: str) -> Response:
    """Send the browser on to the platform.

    Raises `UsageError` for a platform that is not registered.
    """
    asked = _asked()
    try:
        found: Response = _Begin(asked, Registered(), _Kept(asked)).redirect(launch_url)
    except _BROKEN as error:
        raise UsageError(_words(error)) from None
    return found


def accept() -> Claims:
    """What a launch says, when it is true. Raises `UsageError` with the reason when it is not."""
    asked = _asked()
    state = request.form.get("state", "")
    try:
        _serializer().loads(state.removeprefix("state-"), max_age=STATE_S)
        with web() as fetched:
            data = (
                _Launch(
                    asked,
                    Registered(),
                    _Kept(asked),
                    FlaskCookieService(asked),
                    requests_session=fetched,
                )
                .validate()
                .get_launch_data()
            )
        return _read(data)
    except BadData:
        raise UsageError(Message("it was begun too long ago, or not here")) from None
    except _BROKEN as error:
        raise UsageError(_words(error)) from None


def forget(answer: Response) -> None:
    """The cookie of a launch has done its work."""
    answer.delete_cookie(f"lti1p3-{request.form.get('state', '')}")


def _words(error: Exception) -> str:
    """The library's reason, not endless: parts of it were sent."""
    return (str(error) or type(error).__name__)[:300]


def _read(data: dict[str, Any]) -> Claims:
    """Raises `TypeError` or `KeyError` for claims of another form than LTI 1.3 gives them."""
    context, custom = _mapping(data, f"{CLAIM}context"), _mapping(data, f"{CLAIM}custom")
    grades, roles, audience = (
        _mapping(data, f"{GRADES}endpoint"),
        data[f"{CLAIM}roles"],
        data["aud"],
    )
    client = (
        data["azp"]
        if isinstance(audience, list) and len(audience) > 1
        else audience[0]
        if isinstance(audience, list)
        else audience
    )
    number = str(custom.get("assignment", ""))
    deep = data[f"{CLAIM}message_type"] == "LtiDeepLinkingRequest"
    if data[f"{CLAIM}message_type"] not in ("LtiDeepLinkingRequest", "LtiResourceLinkRequest"):
        raise TypeError("this kind of launch is not offered here")
    return Claims(
        issuer=_text(data["iss"]),
        client=_text(client),
        deployment=_text(data[f"{CLAIM}deployment_id"]),
        subject=_text(data["sub"]),
        nonce=_text(data["nonce"]),
        name=_line(data.get("name") or data.get("given_name"))[:TEXT],
        teaches=any(role in INSTRUCTOR for role in roles),
        context=_text(context["id"]) if context else "",
        context_title=_line(context.get("title") or context.get("label"))[:120],
        link="" if deep else _text(data[f"{CLAIM}resource_link"]["id"]),
        assignment=int(number) if number.isdecimal() and len(number) < 10 else None,
        line=_address(grades["lineitem"])
        if grades.get("lineitem") and SCORE in grades.get("scope", [])
        else "",
        picking=_settings(_mapping(data, f"{DEEP}deep_linking_settings")) if deep else None,
    )


def _settings(said: dict[str, Any]) -> dict[str, Any]:
    """Where a choice goes, and what goes with it."""
    return {
        "deep_link_return_url": _address(said["deep_link_return_url"]),
        "data": said.get("data"),
    }


def _mapping(data: dict[str, Any], name: str) -> dict[str, Any]:
    value = data.get(name) or {}
    if not isinstance(value, dict):
        raise TypeError(f"{name} is no object")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= TEXT or "\0" in value:
        raise TypeError(f"a claim is no text of 1 to {TEXT} characters")
    return value


def _address(value: object) -> str:
    """Of a page of the platform.

    Its host becomes a part of a policy header, so that it is a host and nothing else is checked.
    """
    parts = urlsplit(
        value if isinstance(value, str) and len(value) <= 2000 and value.isprintable() else ""
    )
    if parts.scheme not in ("https", "http") or not HOST.fullmatch(parts.netloc):
        raise TypeError("an address of the platform is no http address")
    return parts.geturl()


def _line(value: object) -> str:
    """A name or title in one line, whatever it had in it."""
    return " ".join("".join(c if c.isprintable() else " " for c in str(value or "")).split())
