"""Signing up, in and out, and setting a new password through an instructor's link."""

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from grader.errors import UsageError
from server.messages import Message, sentence
from server.models.accounts import Role, User
from server.models.base import now
from server.services import accounts, password_resets
from server.services.audit import note
from server.web.access import asking, enter, leave, limiter, sign_in_limit, sign_up_limit
from server.web.addresses import safe_path
from server.web.context import reading, service
from server.web.texts import translate

pages = Blueprint("auth", __name__)


@pages.route("/sign-in", methods=["GET", "POST"])
@limiter.limit(sign_in_limit, methods=["POST"])
def sign_in() -> str | Response | tuple[str, int]:
    """Name and password; then back to where one came from."""
    back = safe_path(request.values.get("next"))
    if request.method == "GET":
        return (
            redirect(back)
            if asking() is not None
            else render_template("sign_in.html", back=back, name="", message="")
        )
    name, password = request.form.get("name", ""), request.form.get("password", "")
    user = accounts.find_user(reading(), name)
    if not accounts.password_fits(user, password) or user is None:
        return render_template(
            "sign_in.html",
            back=back,
            name=name[:40],
            message=Message("The name or the password is wrong."),
        ), 401
    enter(user)
    return redirect(back, 303)


@pages.route("/sign-up", methods=["GET", "POST"])
@limiter.limit(sign_up_limit, methods=["POST"])
def sign_up() -> str | Response | tuple[str, int]:
    """A new account: open to all, by invitation, or closed, as the settings say.

    An invitation also carries a role.
    """
    code = request.values.get("invitation", "")[:80]
    mode, name = service().settings.sign_up, request.form.get("name", "")[:40]
    form = {
        "back": safe_path(request.values.get("next")),
        "invitation": code,
        "name": name,
        "mode": mode,
    }
    if request.method == "GET":
        return render_template("sign_up.html", message="", **form)
    try:
        password = request.form.get("password", "")
        if password != request.form.get("again", ""):
            raise UsageError(Message("The two passwords differ."))
        user = _make(request.form.get("name", ""), password, code)
    except UsageError as error:
        return render_template("sign_up.html", message=sentence(error), **form), 422
    enter(user)
    flash(translate("Welcome, %(name)s.", name=user.name))
    return redirect(form["back"], 303)


def _make(name: str, password: str, code: str) -> User:
    """The account, with the invitation used up in the same transaction."""
    password_hash = accounts.hash_password(password, name)
    with service().database.write() as session:
        invitation = accounts.find_invitation(session, code) if code else None
        if code and invitation is None:
            raise UsageError(
                Message("This invitation is unknown, used or expired; ask for a new one.")
            )
        if invitation is None and service().settings.sign_up != "open":
            raise UsageError(
                Message("An account needs an invitation here; ask your instructor for one.")
            )
        user = accounts.add_user(
            session,
            name,
            password,
            Role(invitation.role) if invitation else Role.LEARNER,
            password_hash,
        )
        if invitation is not None:
            invitation.used_by, invitation.used_at = user.id, now()
            note(
                session,
                user.id,
                "invitation used",
                user.name,
                invitation.note,
                role=user.role,
                invitation=invitation.id,
            )
    return user


@pages.post("/sign-out")
def sign_out() -> Response:
    """End this session."""
    leave()
    return redirect(url_for("learn.bank"), 303)


@pages.route("/reset/<code>", methods=["GET", "POST"])
@limiter.limit(sign_up_limit, methods=["POST"])
def reset(code: str) -> str | Response | tuple[str, int]:
    """A new password, once, through a link that a teacher or an admin made."""
    link = password_resets.find(reading(), code)
    if link is None:
        abort(
            404,
            Message("This link is unknown, used or expired; ask your instructor for a new one."),
        )
    if request.method == "GET":
        return render_template("reset.html", name=link.user.name, message="")
    try:
        if request.form.get("password", "") != request.form.get("again", ""):
            raise UsageError(Message("The two passwords differ."))
        password_hash = accounts.hash_password(request.form.get("password", ""), link.user.name)
        with service().database.write() as session:
            again = password_resets.find(session, code, use=True)
            if again is None:
                abort(
                    404,
                    Message(
                        "This link is unknown, used or expired; ask your instructor for a new one."
                    ),
                )
            user = password_resets.use(session, again, password_hash)
    except UsageError as error:
        return render_template("reset.html", name=link.user.name, message=sentence(error)), 422
    enter(user)
    flash(translate("Your password is changed."))
    return redirect(url_for("learn.bank"), 303)
