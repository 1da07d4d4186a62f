"""The page of the audit log, for admins."""

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template, request
from sqlalchemy import select

from server.messages import Message, stored
from server.models.accounts import Role
from server.models.teaching import Deed
from server.services import accounts
from server.services.audit import SAID
from server.web.access import role_required
from server.web.context import reading
from server.web.texts import translate

pages = Blueprint("audit", __name__, url_prefix="/manage")

PAGE = 100
KEYS = {
    "account": Message("account"),
    "active": Message("active"),
    "client": Message("client"),
    "courses": Message("courses"),
    "deployment": Message("deployment"),
    "digest": Message("digest"),
    "due": Message("due"),
    "file": Message("file"),
    "invitation": Message("invitation"),
    "issuer": Message("issuer"),
    "link": Message("link"),
    "made_by": Message("made by"),
    "number": Message("number"),
    "removed": Message("removed"),
    "role": Message("role"),
    "score": Message("score"),
    "submission": Message("submission"),
    "was": Message("before"),
    "submissions": Message("submissions"),
    "what": Message("what"),
}
VALUES: dict[object, Message] = {
    True: Message("yes"),
    False: Message("no"),
    None: Message("none"),
    **dict[object, Message](accounts.ROLES.items()),
    "draft_saved": Message("saved"),
    "draft_file_removed": Message("file removed"),
    "draft_deleted": Message("deleted"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """A deed as the page shows it."""

    deed: Deed
    subject: str
    reason: str
    detail: dict[str, str]


@pages.get("/audit")
@role_required(Role.ADMIN)
def show() -> str:
    """The latest first; `action` and `before` narrow it."""
    action, before = request.args.get("action", "")[:40], request.args.get("before", type=int)
    query = select(Deed).order_by(Deed.id.desc()).limit(PAGE)
    query = query.where(Deed.action == action) if action else query
    query = query.where(Deed.id < before) if before else query
    session = reading()
    deeds = session.scalars(query).all()
    actions = session.scalars(select(Deed.action).distinct().order_by(Deed.action)).all()
    return render_template(
        "teach/audit.html",
        lines=[_line(deed) for deed in deeds],
        actions=actions,
        action=action,
        more=len(deeds) == PAGE,
    )


def _line(deed: Deed) -> Line:
    """A deed with its subject and reason as messages, where they were stored as such."""
    detail = dict(deed.detail or {})
    said = detail.pop(SAID, {})
    return Line(
        deed,
        _subject(deed, said),
        _in_words(stored(said.get("reason", deed.reason))),
        {_in_words(KEYS.get(name, name)): _value(name, value) for name, value in detail.items()},
    )


def _subject(deed: Deed, said: dict[str, Any]) -> str:
    """To what it was done; of an invitation that is a role."""
    if deed.action == "invitation" and deed.subject in VALUES:
        return translate(VALUES[deed.subject])
    return _in_words(stored(said.get("subject", deed.subject)))


def _in_words(text: str) -> str:
    """A message in the reader's language; what people wrote stays as it is."""
    return translate(text) if isinstance(text, Message) else text


def _value(name: str, value: object) -> str:
    if (value is None or isinstance(value, (str, bool))) and value in VALUES:
        return translate(VALUES[value])
    return str(value)[: 12 if name == "digest" else 40]
