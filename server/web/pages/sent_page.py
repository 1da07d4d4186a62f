"""A learner's submission as the teachers of an assignment see it, with a form for a comment."""

from collections.abc import Mapping

from flask import render_template

from server.web.context import reading
from server.web.lookups import find_sent
from server.web.pages.problem_page import verdict_values


def sent_page(
    assignment_id: int,
    submission_id: int,
    message: str = "",
    form: Mapping[str, str] | None = None,
) -> str:
    """Returns the page, with a message about the comment (`form`) that was sent to it."""
    assignment, row, user = find_sent(reading(), assignment_id, submission_id)
    values = verdict_values(row) | {
        "assignment": assignment,
        "course": assignment.course,
        "user": user,
    }
    return render_template(
        "teach/submission.html", submission=row, message=message, form=form or {}, **values
    )
