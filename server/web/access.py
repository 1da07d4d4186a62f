"""Who asks: the session of a browser or the bearer token of a program; what a role may see; how
often one may ask.

A request with an Authorization header is judged by that header alone, and only under /api/; every
other request that changes something must carry the form's token, so that no other site can send it.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import wraps
from typing import Any, cast
from urllib.parse import unquote_to_bytes

from flask import Flask, abort, current_app, g, redirect, request, session, url_for
from flask_limiter import Limiter, RateLimitExceeded
from flask_limiter.util import get_remote_address
from flask_login import LoginManager, UserMixin, current_user, login_user, logout_user  # type: ignore[import-untyped]
from flask_wtf.csrf import CSRFProtect  # type: ignore[import-untyped]
from sqlalchemy import select, update
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.wrappers import Response

from server.messages import Message
from server.models.accounts import Role, Token, User
from server.models.base import now
from server.services import accounts
from server.web.context import reading, service
from server.web.failures import failure, wants_json

csrf = CSRFProtect()
limiter = Limiter(key_func=get_remote_address, swallow_errors=True)
login_manager = LoginManager()
NO_TOKEN = Message("Sign in, or send a token as `Authorization: Bearer …`.", code="token_missing")
VISITOR_RUNS = "runs"  # in the session: the numbers of a visitor's own sample runs


class SignedIn(UserMixin):  # type: ignore[misc]
    """The account behind a request, as Flask-Login sees it."""

    def __init__(self, user: User) -> None:
        self.id, self.name, self.role, self.user = user.id, user.name, user.role, user

    def get_id(self) -> str:
        """Changes with the password and the role, so that old sessions end."""
        return f"{self.id}.{self.user.session_key}"


@login_manager.user_loader  # type: ignore[untyped-decorator]
def load_session(identity: str) -> SignedIn | None:
    """The account of a session cookie."""
    number, _, key = identity.partition(".")
    if not number.isdecimal():
        return None
    user = reading().scalar(
        select(User).where(User.id == int(number), User.session_key == key, User.active)
    )
    return SignedIn(user) if user is not None else None


@login_manager.unauthorized_handler  # type: ignore[untyped-decorator]
def sign_in_first() -> Response:
    """To the sign-in page and back, or 401 for a program."""
    if wants_json():
        return failure(401, NO_TOKEN, {"WWW-Authenticate": "Bearer"})
    return redirect(
        url_for(
            "auth.sign_in", next=request.full_path.rstrip("?") if request.method == "GET" else "/"
        )
    )


def enter(user: User) -> None:
    """Begin a session. The runs of a visitor stay theirs, so that their program goes with them."""
    runs = session.get(VISITOR_RUNS, [])
    session.clear()
    session[VISITOR_RUNS] = runs
    session.permanent = True
    login_user(SignedIn(user))


def leave() -> None:
    """End this session."""
    logout_user()
    session.pop(VISITOR_RUNS, None)


def asking() -> User | None:
    """The account that asks; None for a visitor."""
    return cast(User, current_user.user) if current_user.is_authenticated else None


def me() -> User:
    """The account that asks; only behind a check that there is one."""
    return cast(User, current_user.user)


View = Callable[..., Any]


def signed_in(view: View) -> View:
    """A view for accounts; visitors are sent to sign in."""

    @wraps(view)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        return view(*args, **kwargs) if asking() is not None else sign_in_first()

    guarded.signed_in = True  # type: ignore[attr-defined]
    return guarded


def role_required(role: Role) -> Callable[[View], View]:
    """A view for this role and those above; others are told 403, and visitors to sign in."""

    def decorate(view: View) -> View:
        @signed_in
        @wraps(view)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            if not accounts.at_least(me().role, role):
                abort(
                    403,
                    Message(
                        "This page is for the role %(role)s; yours is %(other)s.",
                        code="role_required",
                        role=accounts.ROLES[role],
                        other=accounts.ROLES[me().role],
                    ),
                )
            return view(*args, **kwargs)

        return guarded

    return decorate


def takes_bytes(most: int) -> Callable[[View], View]:
    """A view whose body is not a text form (a zip), of at most so many bytes.

    The outermost decorator but the route.
    """

    def decorate(view: View) -> View:
        view.takes_bytes = most  # type: ignore[attr-defined]
        return view

    return decorate


def from_elsewhere(view: View) -> View:
    """A view to which another site sends forms, and which has its own proof of who does (LTI's
    state). The outermost but the route.
    """
    view.from_elsewhere = True  # type: ignore[attr-defined]
    return view


def shows_no_text(view: View) -> View:
    """A view that says on its own page when what was sent is not UTF-8 (`g.no_text`), for files
    that people make with other programs. The outermost but the route.
    """
    view.shows_no_text = True  # type: ignore[attr-defined]
    return view


def by_learner() -> str:
    """The key of limits that count for an account, whatever address it comes from."""
    user = asking()
    return f"user {user.id}" if user is not None else get_remote_address()


def submit_limit() -> str:
    """The setting, read at each request."""
    return service().settings.submit_limit


def sign_in_limit() -> str:
    """The setting, read at each request."""
    return service().settings.sign_in_limit


def visitor_limit() -> str:
    """The setting, read at each request."""
    return service().settings.visitor_limit


def link_limit() -> str:
    """The setting, read at each request."""
    return service().settings.link_limit


def sign_up_limit() -> str:
    """The setting, read at each request."""
    return service().settings.sign_up_limit


def protect(app: Flask) -> None:
    """Install all of it."""
    app.before_request(_bearer)
    app.before_request(_nobody)
    app.before_request(_read_form)
    app.before_request(_check_form)
    login_manager.init_app(app)
    csrf.init_app(app)
    limiter.init_app(app)
    app.register_error_handler(RateLimitExceeded, _too_many)


def _read_form() -> None:
    """Forms are UTF-8; Werkzeug would put replacement characters where they are not, and the
    learner would never know.
    """
    view = current_app.view_functions.get(request.endpoint or "")
    most = getattr(view, "takes_bytes", None)
    if most is not None:
        request.max_content_length = most
        return
    if request.method != "POST" or request.mimetype not in (
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    ):
        return
    body = request.get_data(cache=True)
    try:
        (unquote_to_bytes(body) if request.mimetype.endswith("urlencoded") else body).decode()
    except UnicodeDecodeError:
        if getattr(view, "shows_no_text", False):
            g.no_text = True
            return
        abort(
            422,
            Message(
                "What was sent is not UTF-8 text. Save the file as UTF-8 and send it again.",
                code="not_utf8",
            ),
        )


def _bearer() -> Response | None:
    """A token stands for its account, for this request only."""
    header = request.headers.get("Authorization")
    if header is None or not request.path.startswith("/api/"):
        return None
    kind, _, token = header.partition(" ")
    if kind.lower() != "bearer" or not token.strip():
        return failure(401, NO_TOKEN, {"WWW-Authenticate": "Bearer"})
    holder = accounts.token_user(reading(), token.strip())
    if holder is None:
        return failure(
            401,
            Message(
                "The token is unknown or revoked; make one on your profile page.",
                code="token_invalid",
            ),
            {"WWW-Authenticate": 'Bearer error="invalid_token"'},
        )
    user, row = holder
    g._login_user = SignedIn(user)
    g.bearer = True
    _note_use(row)
    return None


def _nobody() -> Response | None:
    """Tells a program without an account so, before what it has sent is looked at."""
    view = current_app.view_functions.get(request.endpoint or "")
    if request.method == "OPTIONS" or not request.path.startswith("/api/"):
        return None
    guarded = getattr(view, "signed_in", False)
    return sign_in_first() if guarded and asking() is None else None


def _note_use(row: Token) -> None:
    """Keep the last use, at most once a minute: it is for the owner's eyes, not worth a write each
    time.
    """
    if row.used_at is None or now() - row.used_at > timedelta(minutes=1):
        with suppress(SQLAlchemyError), service().database.write() as session:
            session.execute(update(Token).where(Token.id == row.id).values(used_at=now()))


def _check_form() -> None:
    own = getattr(current_app.view_functions.get(request.endpoint or ""), "from_elsewhere", False)
    if request.method in ("POST", "PUT", "PATCH", "DELETE") and not g.get("bearer") and not own:
        csrf.protect()


def _too_many(error: RateLimitExceeded) -> Response:
    """429 with the seconds until the next one is accepted."""
    limit = limiter.current_limit
    seconds = max(1, int(limit.reset_at - time.time())) if limit is not None else 60
    return failure(429, headers={"Retry-After": str(seconds)})
