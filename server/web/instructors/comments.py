"""Comments of a teacher on a learner's submission, which also answer a request to look again."""

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from grader.errors import UsageError
from server.messages import sentence
from server.models.accounts import Role
from server.services.courses import comments
from server.web.access import me, role_required
from server.web.context import service, stop_reading
from server.web.lookups import find_sent
from server.web.pages.sent_page import sent_page
from server.web.texts import translate

pages = Blueprint("comments", __name__, url_prefix="/teach")


@pages.post("/assignments/<int:assignment_id>/submissions/<int:submission_id>/comments")
@role_required(Role.INSTRUCTOR)
def add(assignment_id: int, submission_id: int) -> Answer | tuple[str, int]:
    """Adds a comment, on a line if one is named; the learner is told."""
    teacher = me()
    text, line = request.form.get("text", ""), request.form.get("line", "").strip()
    stop_reading()
    try:
        with service().database.write() as session:
            _, row, _ = find_sent(session, assignment_id, submission_id)
            comments.add(session, row, teacher, text, line)
    except UsageError as error:
        return sent_page(assignment_id, submission_id, sentence(error), request.form), 422
    flash(translate("Saved."))
    page = url_for(
        "assignments.submission",
        assignment_id=assignment_id,
        submission_id=submission_id,
        _anchor="comments",
    )
    return redirect(page, 303)
