"""The interface's texts in Chinese, by their English; and which language a reader wants.

`translate` (`_` in templates) gives the English back where there is no translation; a test finds
templates whose texts lack one.
"""

from flask import Blueprint, g, has_request_context, redirect, request
from werkzeug.wrappers import Response

from grader.translate import Translator, translator
from server.web.access import safe_path
from server.web.chinese import CHINESE, FORMS
from server.web.context import service
from server.web.fill import fill

LANGUAGES = {"en": "EN", "zh": "中文"}
COOKIE = "language"

pages = Blueprint("texts", __name__)


def language() -> str:
    """The reader's choice, else what the browser asks for."""
    if not has_request_context():
        return "en"
    if "language" not in g:
        chosen = request.cookies.get(COOKIE, "")
        g.language = (
            chosen
            if chosen in LANGUAGES
            else request.accept_languages.best_match(["en", "zh", "zh-CN", "zh-TW"], "en")[:2]
        )
    return str(g.language)


def translate(text: str) -> str:
    """A text in the reader's language."""
    if language() != "zh":
        return text
    return CHINESE.get(text) or fill(FORMS, text) or text


def words_of(slug: str) -> Translator:
    """How to say what a verdict on this problem says, in the reader's language."""
    chosen = language()
    return translator(service().bank.get(slug) if chosen != "en" else None, chosen)


@pages.get("/language/<code>")
def choose(code: str) -> Response:
    """Remember the language, and back."""
    answer = redirect(safe_path(request.args.get("next")))
    if code in LANGUAGES:
        answer.set_cookie(COOKIE, code, max_age=365 * 86400, samesite="Lax", httponly=True)
    return answer
