"""The page of the audit log, for admins."""

from flask import Blueprint, render_template, request
from sqlalchemy import select

from server.models.accounts import Role
from server.models.teaching import Deed
from server.web.access import role_required
from server.web.context import reading

pages = Blueprint("audit", __name__, url_prefix="/manage")

PAGE = 100


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
        "teach/audit.html", deeds=deeds, actions=actions, action=action, more=len(deeds) == PAGE
    )
