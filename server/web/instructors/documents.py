"""The documents for authors: the formats of problems and lessons, and how to begin a problem."""

from flask import Blueprint, abort, render_template, url_for

from server.messages import Message
from server.models.accounts import Role
from server.services.rendering import documents
from server.web.access import role_required

pages = Blueprint("documents", __name__, url_prefix="/docs")


@pages.get("/<name>")
@role_required(Role.INSTRUCTOR)
def show(name: str) -> str:
    """One document, with its sections and the others beside it."""
    document = documents.document(name, lambda other: url_for("documents.show", name=other))
    if document is None:
        abort(404, Message("There is no document of that name."))
    return render_template("teach/document.html", document=document)
