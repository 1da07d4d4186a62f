"""Whether a launch is what it says: OIDC's two steps with PyLTI1p3, which checks signature, client,
deployment and message.

Nothing is written before a launch is known to be true. The state is signed by us with its time and
kept in a cookie, so a launch belongs to the browser that began it; the nonce is computed from the
state, so a token belongs to its launch; a used nonce is remembered.
"""

import hashlib
import hmac
import secrets
import time
from typing import Any

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
from requests.exceptions import RequestException, SSLError
from werkzeug.wrappers import Response

from grader.errors import UsageError
from server.lti.claims import Claims, client_of, read
from server.lti.registry import Registered, web
from server.messages import Message
from server.web.context import service

STATE_S = 600  # between the two steps
LEEWAY_S = 60  # clocks differ
SIGNED = ("exp", "iat", "iss", "sub", "aud", "nonce")
# what the library raises when a claim is there, and is of a kind that it does not expect
_MISSHAPEN = (LookupError, TypeError, ValueError, AttributeError)
_BROKEN = (
    LtiException,
    OIDCException,
    JWException,
    jwt.PyJWTError,
    RequestException,
    *_MISSHAPEN,
)


def _serializer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(service().secret, salt="lti state")


def _nonce_of(state: str) -> str:
    return hmac.new(
        service().secret.encode(), f"lti nonce {state}".encode(), hashlib.sha256
    ).hexdigest()


def _flask_request() -> Any:
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
        return client_of(self._get_jwt_body())

    def validate_jwt_signature(self) -> Any:
        """By the platform's key, for us, and for now."""
        key, algorithm = self.get_public_key()
        about = {
            "audience": self.get_client_id(),
            "issuer": self.get_iss(),
            "leeway": LEEWAY_S,
            "options": {"require": list(SIGNED)},
        }
        said = jwt.decode(self._get_id_token(), key, algorithms=[algorithm], **about)
        if said["iat"] < time.time() - STATE_S - LEEWAY_S:  # before its launch could have begun
            raise LtiException("The token was issued too long ago")
        return self


def begin(launch_url: str) -> Response:
    """Send the browser on to the platform.

    Raises `UsageError` for a platform that is not registered.
    """
    flask_request = _flask_request()
    try:
        response: Response = _Begin(flask_request, Registered(), _Kept(flask_request)).redirect(
            launch_url
        )
    except _BROKEN as error:
        raise UsageError(_words(error)) from None
    return response


def accept() -> Claims:
    """What a launch says, when it is true. Raises `UsageError` with the reason when it is not."""
    flask_request = _flask_request()
    state = request.form.get("state", "")
    try:
        _serializer().loads(state.removeprefix("state-"), max_age=STATE_S)
        with web() as fetched:
            data = (
                _Launch(
                    flask_request,
                    Registered(),
                    _Kept(flask_request),
                    FlaskCookieService(flask_request),
                    requests_session=fetched,
                )
                .validate()
                .get_launch_data()
            )
        return read(data)
    except BadData:
        raise UsageError(Message("it was begun too long ago, or not here")) from None
    except _BROKEN as error:
        raise UsageError(_words(error)) from None


def forget(answer: Response) -> None:
    """The cookie of a launch has done its work."""
    answer.delete_cookie(f"lti1p3-{request.form.get('state', '')}")


def _words(error: Exception) -> str:
    """The library's reason, not endless: parts of it were sent."""
    if isinstance(error.__cause__, SSLError):
        return Message("the certificate of the platform cannot be verified")
    if type(error) in (KeyError, IndexError, TypeError, AttributeError):
        return Message("a claim is missing, or of another form than LTI 1.3 gives it")
    return (str(error) or type(error).__name__)[:300]
