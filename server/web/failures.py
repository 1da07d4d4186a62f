"""What went wrong, as a page for a reader and as RFC 9457 problem+json for a program; the same
words in both.

A locked database or a full disk is 503 with Retry-After: nothing was written, and the same request
may be sent again.
"""

import json
import logging
from collections.abc import Mapping
from typing import Any

from flask import Flask, Response, current_app, jsonify, render_template, request
from flask_wtf.csrf import CSRFError  # type: ignore[import-untyped]
from sqlalchemy.exc import DataError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from werkzeug.exceptions import HTTPException
from werkzeug.http import HTTP_STATUS_CODES
from werkzeug.routing import RequestRedirect

from server.messages import Message, shown_parameters
from server.web.addresses import kept_path
from server.web.context import stop_reading
from server.web.texts import translate

log = logging.getLogger("server.failures")
RETRY_AFTER_S = 5
INVALID_FIELDS = "invalid_fields"  # the code of a refusal that names fields

TITLES = {
    400: Message("Bad request", code="bad_request"),
    401: Message("Sign in first", code="unauthorized"),
    403: Message("Not allowed", code="forbidden"),
    404: Message("There is no such page", code="not_found"),
    405: Message("Not possible here", code="method_not_allowed"),
    409: Message("Not possible now", code="conflict"),
    413: Message("Too large", code="content_too_large"),
    415: Message("Wrong type", code="unsupported_media_type"),
    422: Message("Cannot be accepted", code="unprocessable_content"),
    429: Message("Too many requests", code="rate_limited"),
    500: Message("Something broke on our side", code="internal_error"),
    503: Message("Not now", code="service_unavailable"),
}
# For programs, RFC 9457 wants the phrase of the status; Werkzeug has those of before RFC 9110.
PHRASES = HTTP_STATUS_CODES | {413: "Content Too Large", 422: "Unprocessable Content"}
DETAILS = {
    404: Message(
        "Check the address; what belongs to somebody else is not shown either.", code="not_found"
    ),
    405: Message(
        "Nothing is done here by that method; the header `Allow` names what is.",
        code="method_not_allowed",
    ),
    429: Message("Wait a moment and send it again.", code="rate_limited"),
    500: Message(
        "It is logged. Nothing of what you sent was stored halfway.", code="internal_error"
    ),
    503: Message(
        "The service cannot write now (its database does not answer or is locked, or its disk is"
        " full). Nothing was stored; send it again in a moment.",
        code="service_unavailable",
    ),
}


def wants_json() -> bool:
    """Whether the answer goes to a program."""
    return (
        request.path.startswith("/api/")
        or request.accept_mimetypes.best_match(["text/html", "application/json"])
        == "application/json"
    )


def failure(
    status: int, detail: str = "", headers: dict[str, str] | None = None, **more: Any
) -> Response:
    """An answer that says what is wrong and what to do.

    For a program, the sentence comes with its code and its parameters.
    """
    named = TITLES.get(status) or Message(PHRASES.get(status, "Error"), code="http_error")
    title: str = named
    detail = detail or DETAILS.get(status, "")
    if wants_json():
        told = detail if isinstance(detail, Message) else named
        more = {"code": told.code, "parameters": shown_parameters(told), **more}
        if request.path.startswith("/api/"):
            title = PHRASES.get(status, named)
        else:  # the pages' own script shows it to a reader
            title, detail = translate(title), translate(detail)
        answer = jsonify(
            {"type": "about:blank", "title": title, "status": status, "detail": detail, **more}
        )
        answer.mimetype = "application/problem+json"
    else:
        answer = Response(render_template("error.html", status=status, title=title, detail=detail))
    answer.status_code = status
    for name, value in (headers or {}).items():
        answer.headers[name] = value
    return answer


def register(app: Flask) -> None:
    """Answer every error of the application in these words."""
    app.before_request(_no_page)
    app.before_request(_unreadable)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(CSRFError, _expired)
    app.register_error_handler(OperationalError, _database)
    app.register_error_handler(PoolTimeoutError, _database)
    app.register_error_handler(DataError, _unstorable)
    app.register_error_handler(UnicodeEncodeError, _unstorable)
    app.register_error_handler(OverflowError, _unstorable)
    app.register_error_handler(Exception, _unexpected)


def _no_page() -> Response | None:
    """Answers a program where Flask and Werkzeug would do so in HTML: the methods of an address,
    and the right address where one has `//`.
    """
    if not request.path.startswith("/api/"):
        return None
    moved = request.routing_exception
    if isinstance(moved, RequestRedirect):
        return failure(
            moved.code,
            Message("Use the address in `Location`.", code="moved"),
            {"Location": moved.new_url},
        )
    if request.method == "OPTIONS" and moved is None:
        answer = current_app.make_default_options_response()
        answer.status_code = 204
        del answer.headers["Content-Type"]
        return answer
    return None


def _unreadable() -> Response | None:
    """Refuses a body that is not JSON or cannot be parsed, before a view or a schema asks for it:
    they take another type for no body, and expect an error of the syntax only, and neither a
    thousand levels nor a number of a thousand digits. The body of a GET means nothing (RFC 9110).
    """
    if request.method in ("GET", "HEAD"):
        return None
    view = current_app.view_functions.get(request.endpoint or "")
    if not request.path.startswith("/api/") or view is None or hasattr(view, "takes_bytes"):
        return None
    if not request.get_data():
        return None
    if not request.is_json:
        return failure(
            415,
            Message(
                "Send JSON, with the header `Content-Type: application/json`.",
                code="unsupported_media_type",
            ),
        )
    try:
        json.loads(request.get_data().decode())
    except (ValueError, RecursionError) as error:
        if isinstance(error, json.JSONDecodeError) and error.pos > 0:
            line, column = str(error.lineno), str(error.colno)
            return failure(
                400,
                Message(
                    "The body is not valid JSON from line %(line)s, column %(column)s on.",
                    code="invalid_json",
                    line=line,
                    column=column,
                ),
            )
        return failure(
            400,
            Message(
                "The body is not JSON that can be read; send UTF-8 without a byte order mark,"
                " not nested more than some hundred levels deep.",
                code="invalid_json",
            ),
        )
    return None


def refused(error: Any) -> Response:
    """What a schema of the API refuses: each field with its reason."""
    detail = error.detail if isinstance(error.detail, dict) else {}
    fields = {
        name: said
        for part in detail.values()
        if isinstance(part, dict)
        for name, said in part.items()
    }
    status, headers = error.status_code, dict(error.headers or {})
    if "_schema" in fields:
        told = Message("The body must be a JSON object.", code="not_an_object")
        return failure(status, told, headers, fields=fields)
    if not fields:
        return failure(status, str(error.message), headers)
    return invalid_fields(status, fields, headers)


def invalid_fields(
    status: int, fields: Mapping[str, Any], headers: dict[str, str] | None = None
) -> Response:
    """Refuses fields of a body or parameters of an address, each with its reasons."""
    told = " ".join(_field_told(name, said) for name, said in fields.items())
    return failure(status, told, headers, code=INVALID_FIELDS, fields=fields)


def _field_told(name: str, said: Any) -> str:
    """A field with its reasons; those of a list stand under the numbers of its items."""
    if isinstance(said, dict):
        return " ".join(_field_told(f"{name}[{key}]", each) for key, each in said.items())
    return f"{name}: {' '.join(map(str, said)) if isinstance(said, list) else said}"


def _http(error: HTTPException) -> Response:
    if error.response is not None:
        return error.response  # type: ignore[return-value]
    status = error.code or 500
    if status == 413:
        return failure(413, _too_large())
    named = (
        error.description
        if error.description and error.description != type(error).description and status != 429
        else ""
    )
    kept = {
        name: value
        for name, value in error.get_headers()
        if name in ("Allow", "Retry-After", "WWW-Authenticate", "Location")
    }
    return failure(status, named or "", kept)


def _too_large() -> Message:
    """Names the limit of the request that is being answered."""
    return Message(
        "The request is larger than the service accepts: at most %(most)s bytes.",
        code="content_too_large",
        most=request.max_content_length,
    )


def _expired(error: CSRFError) -> Response:
    """A form that was open for too long: its text comes back, in a form that can be sent."""
    if wants_json() or "source" not in request.form:
        return failure(
            400,
            Message(
                "The form was open for too long, or was not made here. Go back, load the page"
                " again, and send it again.",
                code="csrf_failed",
            ),
        )
    page = render_template(
        "resend.html",
        fields={k: v for k, v in request.form.items() if k != "csrf_token"},
        action=request.path,
    )
    return Response(page, status=400)


def _database(error: Exception) -> Response:
    log.error(
        "database",
        extra={
            "fields": {
                "path": kept_path(),
                "trouble": type(error).__name__,
                "text": str(error.__cause__ or error)[:300],
            }
        },
    )
    stop_reading()
    return failure(503, headers={"Retry-After": str(RETRY_AFTER_S)})


def _unstorable(error: DataError | UnicodeEncodeError | OverflowError) -> Response:
    """PostgreSQL knows no NUL in a text, and no database a number that its column does not hold;
    UTF-8 has no half of a pair of surrogates.
    """
    stop_reading()
    if isinstance(error, OverflowError):  # it may be a defect of ours, too
        fields = {"path": kept_path(), "text": str(error)[:300]}
        log.warning("unstorable", extra={"fields": fields})
    return failure(
        422,
        Message(
            "The request has a character or a number that cannot be stored.", code="not_storable"
        ),
    )


def _unexpected(error: Exception) -> Response:
    log.error("failure", exc_info=error, extra={"fields": {"path": kept_path()}})
    return failure(500)
