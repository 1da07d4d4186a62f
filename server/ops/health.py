"""Health checks: the process answers, and it can work."""

from flask import Blueprint, Response, jsonify
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from server.services.submission_queue import room_trouble
from server.web.context import reading, service

pages = Blueprint("health", __name__)


@pages.get("/healthz")
def alive() -> Response:
    """Answers 200 as long as the process runs."""
    return jsonify({"status": "ok"})


@pages.get("/readyz")
def ready() -> tuple[Response, int]:
    """Answers 200 when the database answers and a room is ready, else 503 with what is missing."""
    try:
        reading().execute(text("SELECT 1"))
        database = "ok"
        room = room_trouble(reading(), service().settings.sweep, opening=False)
    except SQLAlchemyError as error:
        database, room = type(error).__name__, "unknown"
    parts = {
        "database": database,
        "room": room or "ok",
        "problems": len(service().bank.problems()) if database == "ok" else None,
    }
    usable = database == "ok" and room is None
    return jsonify({"status": "ready" if usable else "not ready", **parts}), 200 if usable else 503
