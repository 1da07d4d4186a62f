"""The colours of pages: those of the reader's device, or those that the reader has chosen."""

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from server.messages import Message
from server.web.addresses import safe_path

COOKIE = "theme"
THEMES = {
    "system": Message("as on this device"),
    "light": Message("light"),
    "dark": Message("dark"),
}

pages = Blueprint("theme", __name__)


def theme() -> str:
    """The reader's choice; `system` where there is none."""
    chosen = request.cookies.get(COOKIE, "")
    return chosen if chosen in THEMES else "system"


@pages.get("/theme/<name>")
def choose(name: str) -> Response:
    """Remember the colours, and back. The cookie is read by the script of a page too."""
    answer = redirect(safe_path(request.args.get("next")))
    if name in THEMES:
        answer.set_cookie(COOKIE, name, max_age=365 * 86400, samesite="Lax")
    return answer
