"""Refuses a parameter of an address that its endpoint does not take, and one that comes twice: if
it were ignored, a program would take the whole list for a part of it.
"""

from collections.abc import Mapping
from typing import Any

from apiflask import fields
from flask import Flask, Response, current_app, request

from grader.problem import did_you_mean
from server.web.failures import invalid_fields


def check(app: Flask) -> None:
    """Holds every endpoint of the API to the parameters that its schema has."""
    app.before_request(_refuse)


def _refuse() -> Response | None:
    view = current_app.view_functions.get(request.endpoint or "")
    if not request.path.startswith("/api/") or view is None:
        return None
    known = _parameters(view)
    reasons = {}
    for name, values in request.args.lists():
        if name not in known:
            reasons[name] = [f"Unknown parameter{did_you_mean(name, known)}."]
        elif len(values) > 1 and not isinstance(known[name], fields.List):
            reasons[name] = [f"Comes {len(values)} times; send it once."]
    return invalid_fields(422, reasons) if reasons else None


def _parameters(view: Any) -> Mapping[str, Any]:
    """Returns what a view takes in its address: the field of each name."""
    schemas = [
        schema
        for schema, location in getattr(view, "_spec", {}).get("args", ())
        if location == "query"
    ]
    return {
        field.data_key or name: field for schema in schemas for name, field in schema.fields.items()
    }
