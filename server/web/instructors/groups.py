"""The page on which a failing submission becomes a known mistake of its problem."""

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Answer

from grader.errors import GradeError
from grader.problem import Problem
from server.messages import Message, sentence
from server.models.accounts import Role
from server.models.submissions import Submission
from server.services.problems import promotion, publishing
from server.web.access import me, role_required
from server.web.context import reading, service, stop_reading, wake_chores
from server.web.lookups import find_problem

pages = Blueprint("groups", __name__, url_prefix="/teach")


def _find(submission_id: int) -> tuple[Submission, Problem]:
    row = promotion.candidate(reading(), submission_id, me())
    if row is None:
        abort(404, Message("You have no failing submission of that number to read."))
    return row, find_problem(row.problem)


@pages.get("/submissions/<int:submission_id>/mistake")
@role_required(Role.INSTRUCTOR)
def propose(submission_id: int) -> str:
    """The source, its first failing case, the edit that it is, and a form for name and hint."""
    return _page(submission_id)


def _page(submission_id: int, message: str = "") -> str:
    row, problem = _find(submission_id)
    cases = (row.verdict or {}).get("cases", [])
    samples = (row.shown or {}).get("samples", [])
    return render_template(
        "teach/new_mistake.html",
        submission=row,
        problem=problem,
        edit=promotion.proposed(problem, row),
        first=next((case for case in cases if case["verdict"] != "accepted"), None),
        sample=next((sample for sample in samples if sample["verdict"] != "accepted"), None),
        hint_languages=promotion.languages(problem),
        shipped=publishing.on_disk(service().bank, problem.slug),
        form=request.form,
        message=message,
    )


@pages.post("/submissions/<int:submission_id>/mistake")
@role_required(Role.INSTRUCTOR)
def promote(submission_id: int) -> Answer | tuple[str, int]:
    """Put the mistake into a draft of the problem, and verify that."""
    row, problem = _find(submission_id)
    user = me()
    hints = {code: request.form.get(f"hint-{code}", "") for code in promotion.languages(problem)}
    new = promotion.NewMistake(request.form.get("name", "").strip(), hints)
    stop_reading()
    try:
        with service().database.write() as session:
            draft = promotion.promote(session, problem, row, new, user)
    except GradeError as error:
        return _page(submission_id, sentence(error)), 422
    wake_chores()
    page = url_for("drafts.show", draft_id=draft.id, file=promotion.MISTAKES, _anchor="verify")
    return redirect(page, 303)
