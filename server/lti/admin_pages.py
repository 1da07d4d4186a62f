"""The page of learning platforms, for admins: what to enter there, what to enter here, and who is
let in.
"""

from collections.abc import Mapping

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from werkzeug.wrappers import Response

from grader.errors import UsageError
from server.lengths import fault
from server.lti import platforms
from server.lti.addresses import address
from server.lti.registry import key_of
from server.messages import Message, sentence
from server.models.accounts import Role
from server.models.lti import LtiPlatform
from server.web.access import me, role_required
from server.web.context import reading, service, stop_reading
from server.web.texts import translate

FIELDS = (
    "name",
    "issuer",
    "client_id",
    *platforms.URLS,
    "deployments",
    "audience",
    "zone",
    "instructors",
)
FRESH = {"zone": "UTC", "instructors": "yes"}  # the form before anything is written into it

pages = Blueprint("platforms", __name__, url_prefix="/manage/platforms")


@pages.get("")
@role_required(Role.ADMIN)
def show() -> str:
    """What is registered, and the form for another."""
    return _page()


def _page(message: str = "", form: Mapping[str, str] = FRESH) -> str:
    return render_template(
        "teach/platforms.html",
        platforms=reading().scalars(select(LtiPlatform).order_by(LtiPlatform.name)).all(),
        login=address("lti.login"),
        launch=address("lti.launch"),
        keys=address("lti.keys"),
        https=service().settings.https,
        message=message,
        form=form,
    )


@pages.post("")
@role_required(Role.ADMIN)
def add() -> Response | tuple[str, int]:
    """Register a platform."""
    form = {name: request.form.get(name, "").strip() for name in FIELDS}
    by = me().id
    stop_reading()
    key_of(service().database)  # so that /lti/keys has one when the platform asks
    try:
        with service().database.write() as session:
            row = platforms.register(
                session,
                by,
                form["name"],
                form["issuer"],
                form["client_id"],
                form,
                form["deployments"].split(),
                audience=form["audience"],
                zone=form["zone"],
                instructors=form["instructors"],
            )
            name = row.name
    except UsageError as error:
        return _page(Message("Not registered: %(reason)s.", reason=sentence(error)), form), 422
    except IntegrityError:  # another admin was first
        return _page(
            Message(
                "Not registered: there is a platform of this name, or with this issuer and client"
                " id."
            ),
            form,
        ), 422
    flash(translate("%(name)s is registered.", name=name))
    return redirect(url_for("platforms.show"), 303)


@pages.post("/<int:platform_id>/deployments")
@role_required(Role.ADMIN)
def deploy(platform_id: int) -> Response | tuple[str, int]:
    """Accept a further deployment id."""
    by = me().id
    stop_reading()
    try:
        with service().database.write() as session:
            platforms.deploy(
                session,
                by,
                _found(session.get(LtiPlatform, platform_id)),
                request.form.get("deployment", "").strip(),
            )
    except UsageError as error:
        return _page(Message("Not saved: %(reason)s.", reason=sentence(error))), 422
    flash(translate("Saved."))
    return redirect(url_for("platforms.show"), 303)


@pages.post("/<int:platform_id>/remove")
@role_required(Role.ADMIN)
def remove(platform_id: int) -> Response | tuple[str, int]:
    """Let a platform in no longer, and say why."""
    reason, by = request.form.get("reason", "").strip(), me().id
    if not reason:
        abort(422, Message("Say why; the audit log keeps it."))
    why = fault(Message("Reason"), reason, 400)
    if why is not None:
        return _page(why), 422
    stop_reading()
    with service().database.write() as session:
        row = _found(session.get(LtiPlatform, platform_id))
        name = row.name
        gone = platforms.remove(session, by, row, reason)
    flash(
        translate("%(name)s is removed.", name=name)
        if gone
        else translate(
            "%(name)s is let in no longer. It stays listed, as scores go back to it.", name=name
        )
    )
    return redirect(url_for("platforms.show"), 303)


def _found(row: LtiPlatform | None) -> LtiPlatform:
    if row is None:
        abort(404, Message("There is no such platform."))
    return row
