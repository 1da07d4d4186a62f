"""In which language a page is: the reader's choice, the catalogues, and how messages translate.

English stands in the code. Each folder of `server/locale` is one more language.
"""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import cast

from babel import Locale, negotiate_locale
from babel.support import NullTranslations
from flask import Blueprint, Flask, current_app, g, has_request_context, redirect, request
from flask_babel import Babel, format_decimal, format_timedelta, get_translations
from markupsafe import Markup, escape
from werkzeug.wrappers import Response

from grader.findings.catalogue import catalogue
from grader.findings.text import said as text_said
from grader.verdict.translate import Translator, translator
from server.messages import Message, Saying, is_quantity, sentence
from server.web.addresses import safe_path
from server.web.context import service

CATALOGUES = Path(__file__).parents[1] / "locale"
DOMAIN = "server"
COOKIE = "language"
UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"))
SCRIPTS = {"zh": "zh-Hans"}  # what `lang` says of a language that is written in several scripts

pages = Blueprint("texts", __name__)


def install(app: Flask) -> None:
    """Gives an application its languages: English, and one for each folder of catalogues."""
    codes = sorted(path.parent.parent.name for path in CATALOGUES.glob(f"*/*/{DOMAIN}.mo"))
    names = {code: Locale.parse(code).get_language_name(code) or code for code in codes}
    app.extensions["languages"] = {"en": "EN", **names}
    Babel(
        app,
        locale_selector=language,
        default_domain=DOMAIN,
        default_translation_directories=str(CATALOGUES),
        configure_jinja=False,  # its `_` marks what it returns as HTML that needs no escaping
    )
    app.jinja_env.globals.update(
        _=translate,
        gettext=translate,
        ngettext=translate_counted,
        languages=app.extensions["languages"],
        language=language,
        html_language=html_language,
        words_of=words_of,
    )
    app.jinja_env.filters["with_code"] = with_code


def language() -> str:
    """The reader's choice, else what the browser asks for."""
    if not has_request_context():
        return "en"
    if "language" not in g:
        known = current_app.extensions["languages"]
        chosen = request.cookies.get(COOKIE, "")
        g.language = chosen if chosen in known else _asked_for(known)
    return str(g.language)


def _asked_for(known: Mapping[str, str]) -> str:
    wanted = [tag.replace("-", "_") for tag, quality in request.accept_languages if quality > 0]
    return negotiate_locale(wanted, list(known)) or "en"


def html_language() -> str:
    """The language of the page, as HTML's `lang` has it."""
    return SCRIPTS.get(language(), language())


def translate(said: str | Exception, /, **values: object) -> str:
    """A text of a page or of the judge, a message or what an error says, in the reader's language.

    With a value that is HTML the result is HTML too, and everything else in it is escaped.
    """
    if isinstance(said, Exception):
        said = sentence(said)
    if isinstance(said, Saying):
        return text_said(said.text, catalogue(language()))
    if isinstance(said, Message):
        return _filled(_looked_up(said.pattern, said.plural, said.number), said.parameters)
    return _filled(_looked_up(said), values)


def translate_counted(one: str, many: str, count: int, /, **values: object) -> str:
    """A text whose form depends on a count, which it calls `%(num)s`."""
    return _filled(_looked_up(one, many, count), {"num": count, **values})


def _looked_up(text: str, plural: str = "", count: int = 1) -> str:
    translations = _catalogue()
    if plural:
        return str(translations.ungettext(text, plural, count))
    return str(translations.ugettext(text)) if text else ""  # the entry of "" is the header


def _catalogue() -> NullTranslations:
    """The reader's, looked up once a request: a page has hundreds of texts."""
    if not has_request_context():
        return cast(NullTranslations, get_translations())
    if "catalogue" not in g:
        g.catalogue = get_translations()
    return cast(NullTranslations, g.catalogue)


def _filled(text: str, values: Mapping[str, object]) -> str:
    if not values:
        return text
    shown = {name: _shown(value) for name, value in values.items()}
    if any(hasattr(value, "__html__") for value in shown.values()):
        return escape(text) % shown
    return text % shown


def _shown(value: object) -> object:
    if isinstance(value, Message | Saying):
        return translate(value)
    if is_quantity(value):
        return format_decimal(value)
    return value


def span(time: timedelta) -> str:
    """A length of time in its largest unit, rounded down: nobody is told of more than there is."""
    seconds = int(time.total_seconds())
    size, unit = next((u for u in UNITS if seconds >= u[0]), (1, "second"))
    whole = timedelta(seconds=seconds // size * size)
    return str(format_timedelta(whole, granularity=unit, threshold=float("inf")))


def words_of(slug: str) -> Translator:
    """How to say what a verdict on this problem says, in the reader's language."""
    chosen = language()
    return translator(service().bank.get(slug) if chosen != "en" else None, chosen)


def with_code(text: str) -> Markup:
    """A hint or a remark as HTML: what stands between two backticks is code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # one of them has no partner
        return escape(text)
    code = Markup("<code>{}</code>")
    shown = (code.format(part) if i % 2 else escape(part) for i, part in enumerate(parts))
    return Markup("").join(shown)


@pages.get("/language/<code>")
def choose(code: str) -> Response:
    """Remember the language, and back."""
    answer = redirect(safe_path(request.args.get("next")))
    if code in current_app.extensions["languages"]:
        answer.set_cookie(COOKIE, code, max_age=365 * 86400, samesite="Lax", httponly=True)
    return answer
