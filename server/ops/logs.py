"""Logs to stderr, one JSON object a line: one for each request, one for each verdict.

A log never holds a source, a password, a token or a query string.
"""

import json
import logging
import sys
import time
from datetime import UTC, datetime

from flask import Flask, Response, g, request

from server.web.addresses import kept_path


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON; `extra={"fields": {...}}` adds fields."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the record's time, level, event and fields as JSON."""
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


def set_up(level: str) -> None:
    """Sends everything that this process logs to stderr as JSON, each record once."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    for noisy in ("werkzeug", "waitress.queue", "alembic", "flask-limiter"):
        logging.getLogger(noisy).setLevel("ERROR")
    limits = logging.getLogger("flask-limiter")
    limits.filters = [_without_trace]


def _without_trace(record: logging.LogRecord) -> bool:
    """Makes one line of each request that was not limited, as Redis did not answer."""
    if record.exc_info and (error := record.exc_info[1]):
        record.fields = {"trouble": type(error).__name__, "text": str(error)[:200]}
        record.msg, record.args, record.exc_info = "rate limits do not count", (), None
    return True


def log_requests(app: Flask) -> None:
    """Logs one line for each request."""
    log = logging.getLogger("server.request")

    @app.before_request
    def begin() -> None:
        """Starts the clock."""
        g.began = time.monotonic()

    @app.after_request
    def end(response: Response) -> Response:
        """Logs the request when its response is ready."""
        fields = {
            "method": request.method,
            "path": kept_path(),
            "status": response.status_code,
            "ms": round((time.monotonic() - g.get("began", time.monotonic())) * 1000, 1),
            "address": request.remote_addr,
            "user": getattr(g.get("_login_user"), "id", None),
        }
        log.info("request", extra={"fields": fields})
        return response
