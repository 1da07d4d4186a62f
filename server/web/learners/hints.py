"""Asking for the next step of a hint."""

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response

from server.messages import Message
from server.services.problems import hints
from server.web.access import me, signed_in
from server.web.context import service, stop_reading
from server.web.lookups import find_submission
from server.web.panels.verdict import hints_of

pages = Blueprint("hints", __name__)


@pages.post("/submissions/<int:submission_id>/hints")
@signed_in
def ask(submission_id: int) -> Response:
    """Opens the next step of the hint to a mistake of one's own submission, and records it.

    `step` is its number: a form that is sent twice opens one step.
    """
    row = find_submission(submission_id, me().id)
    number = request.form.get("hint", -1, type=int)
    shown = dict(enumerate(hints_of(row))).get(number)
    if shown is None:
        abort(404, Message("The submission has no such hint."))
    step = request.form.get("step", 0, type=int)
    if step == len(shown.steps) + 1 and shown.next is not None:
        stop_reading()
        with service().database.write() as session:
            hints.record(session, row, shown.diagnosis.mistake, step)
    elif not 0 < step <= len(shown.steps):
        abort(422, Message("Ask for the steps of a hint one after another."))
    anchor = f"hint-{number}"
    return redirect(url_for("submit.show", submission_id=submission_id, _anchor=anchor), 303)
