"""For whoever operates the service: is the process there, can it work."""

from flask import Blueprint, Response, jsonify
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from server.web.context import reading, service
from server.web.learners.submissions import room_trouble

pages = Blueprint("health", __name__)


@pages.get("/healthz")
def alive() -> Response:
    """The process answers."""
    return jsonify({"status": "ok"})


@pages.get("/readyz")
def ready() -> tuple[Response, int]:
    """The database answers and a room stands; 503 with what is missing."""
    try:
        reading().execute(text("SELECT 1"))
        database = "ok"
        trouble = room_trouble(opening=False)
    except SQLAlchemyError as error:
        database, trouble = type(error).__name__, "unknown"
    found = {
        "database": database,
        "room": trouble or "ok",
        "problems": len(service().bank.problems()) if database == "ok" else None,
    }
    good = database == "ok" and trouble is None
    return jsonify({"status": "ready" if good else "not ready", **found}), 200 if good else 503
