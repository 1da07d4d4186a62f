"""The account's own page: name on the leaderboards, password, API tokens, what others did with the
account.
"""

from collections.abc import Sequence

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from sqlalchemy import select, update
from werkzeug.wrappers import Response

from grader.errors import UsageError
from server.messages import Message, sentence
from server.models.accounts import Token, User
from server.models.base import now
from server.models.notices import Notice
from server.services import accounts, notices
from server.services.audit import note
from server.web.access import asking, enter, limiter, me, sign_in_limit, signed_in
from server.web.addresses import safe_path
from server.web.context import reading, service, stop_reading
from server.web.texts import translate

pages = Blueprint("profile", __name__, url_prefix="/profile")

MOST_TOKENS = 20


@pages.get("")
@signed_in
def show() -> str:
    """Everything about the account."""
    return _page()


def _page(new_token: str = "", message: str = "") -> str:
    tokens = (
        reading()
        .scalars(
            select(Token)
            .where(Token.user_id == me().id, Token.revoked_at.is_(None))
            .order_by(Token.id)
        )
        .all()
    )
    values = {
        "user": reading().get(User, me().id),
        "told": notices.latest(reading(), me().id),
        "tokens": tokens,
    }
    return render_template("profile.html", new_token=new_token, message=message, **values)


def open_notices() -> Sequence[Notice]:
    """What the account that asks is told on every page."""
    user = asking()
    return notices.undismissed(reading(), user.id) if user is not None else []


@pages.post("/notices/<int:notice_id>/dismiss")
@signed_in
def dismiss(notice_id: int) -> Response:
    """Show a notice on this page only from now on."""
    own = (Notice.id == notice_id, Notice.user_id == me().id)
    with service().database.write() as session:
        if session.scalar(select(Notice.id).where(*own)) is None:
            abort(404, Message("You have no notice of that number."))
        session.execute(
            update(Notice).where(*own, Notice.dismissed_at.is_(None)).values(dismissed_at=now())
        )
    return redirect(safe_path(request.form.get("next")), 303)


@pages.post("/display-name")
@signed_in
def display_name() -> Response | tuple[str, int]:
    """Be shown on leaderboards under a name of one's choice; empty: not shown."""
    name = " ".join(request.form.get("display_name", "").split())
    if len(name) > 40 or not name.isprintable():
        return _page(
            message=Message("A name on the leaderboards has at most 40 printable characters.")
        ), 422
    with service().database.write() as session:
        session.execute(update(User).where(User.id == me().id).values(display_name=name or None))
    flash(translate("Saved."))
    return redirect(url_for("profile.show"), 303)


@pages.post("/password")
@signed_in
@limiter.limit(sign_in_limit)
def password() -> Response | tuple[str, int]:
    """A new password; every other session, every API token and every reset link of the account
    ends.
    """
    try:
        if not accounts.password_fits(me(), request.form.get("old", "")):
            raise UsageError(Message("The old password is wrong."))
        if request.form.get("password", "") != request.form.get("again", ""):
            raise UsageError(Message("The two passwords differ."))
        user_id, password_hash = (
            me().id,
            accounts.hash_password(request.form.get("password", ""), me().name),
        )
        stop_reading()
        with service().database.write() as session:
            user = session.get_one(User, user_id)
            accounts.set_password(session, user, password_hash)
            note(session, user.id, "password", user.name)
    except UsageError as error:
        return _page(message=sentence(error)), 422
    enter(user)
    flash(translate("Your password is changed."))
    return redirect(url_for("profile.show"), 303)


@pages.post("/tokens")
@signed_in
def make_token() -> str | tuple[str, int]:
    """A new API token, shown in this answer and never again."""
    try:
        with service().database.write() as session:
            user = session.get_one(User, me().id)
            held = session.scalars(
                select(Token.id).where(Token.user_id == user.id, Token.revoked_at.is_(None))
            ).all()
            if len(held) >= MOST_TOKENS:
                raise UsageError(
                    Message("At most %(most)s tokens; revoke one first.", most=MOST_TOKENS)
                )
            token = accounts.make_token(session, user, request.form.get("name", ""))
    except UsageError as error:
        return _page(message=sentence(error)), 422
    stop_reading()
    return _page(new_token=token)


@pages.post("/tokens/<int:token_id>/revoke")
@signed_in
def revoke_token(token_id: int) -> Response:
    """End a token at once."""
    own = (Token.id == token_id, Token.user_id == me().id, Token.revoked_at.is_(None))
    with service().database.write() as session:
        if session.scalar(select(Token.id).where(*own)) is None:
            abort(404, Message("You have no token of that number."))
        session.execute(update(Token).where(*own).values(revoked_at=now()))
    flash(translate("Revoked."))
    return redirect(url_for("profile.show"), 303)
