"""Sending a submission and reading its verdict: the form, the page, the answer to a script that
watches, history and comparison.
"""

from flask import Blueprint, abort, jsonify, redirect, render_template, request, url_for
from sqlalchemy import func, select
from werkzeug.wrappers import Response

from grader.errors import SubmissionError, UsageError
from server.messages import Message, sentence
from server.models.submissions import Submission
from server.services import submissions
from server.services.courses import comments
from server.services.courses.terms import LastAttempt
from server.services.feedback import see
from server.services.rendering.diff import side_by_side
from server.web.access import by_learner, limiter, me, signed_in, submit_limit
from server.web.context import reading, service, stop_reading
from server.web.failures import failure, wants_json
from server.web.lookups import (
    find_own,
    find_problem,
    find_submission,
    page_number,
    seen_problem,
    wait_seconds,
)
from server.web.pages.problem_page import Sent, assigned_now, problem_page, verdict_values
from server.web.polling import await_own
from server.web.throttle import costly

pages = Blueprint("submit", __name__)

PAGE = 30
FORM_WAIT_S = 4.0  # a form's answer waits so long for the verdict before it shows "queued"
# of a page that was gone back to; the answer is a page with a new key
CHANGED = Message("This form was sent already, and has changed since. Send it again.")


@pages.post("/problems/<slug>/submit")
@signed_in
@limiter.limit(submit_limit, key_func=by_learner)
def send(slug: str) -> Response | tuple[str, int]:
    """The editor's form. `action=samples` judges the samples only and keeps nothing."""
    problem = find_problem(slug)
    file = request.files.get("file")
    source: str | bytes = file.read() if file and file.filename else request.form.get("source", "")
    sent = submissions.NewSubmission(
        me().id,
        problem,
        request.form.get("framework", ""),
        source,
        samples_only=request.form.get("action") == "samples",
        idempotency_key=request.form.get("once") or None,
        use_last=request.form.get("last") == "yes",
    )
    running = service()
    stop_reading()
    try:
        row = submissions.accept(
            running.database, sent, running.settings.source_limit, running.queue.put
        )
    except SubmissionError as error:
        asks = isinstance(error, LastAttempt)
        status = 409 if asks else 422
        if wants_json():
            return failure(status, sentence(error))
        text = source.decode("utf-8-sig", "replace") if isinstance(source, bytes) else source
        kept = Sent(text, sent.framework)
        reused = isinstance(error, submissions.KeyReused)
        message = CHANGED if reused else sentence(error)
        return problem_page(problem, message=message, sent=kept, asks=asks), status
    if wants_json():
        url = url_for("submit.show", submission_id=row.id)
        answer = jsonify(
            {"id": row.id, "url": url, "live": url_for("submit.live", submission_id=row.id)}
        )
        answer.status_code = 202
        return answer
    return redirect(url_for("submit.show", submission_id=row.id, wait=int(FORM_WAIT_S)), 303)


@pages.get("/submissions/<int:submission_id>")
@signed_in
def show(submission_id: int) -> str | Response:
    """The problem's page with this submission's source and verdict."""
    user = me().id
    await_own(submission_id, user, wait_seconds())
    row = find_own(submission_id, user)
    if row.exploration is not None:
        return redirect(url_for("explorations.show", exploration_id=row.id))
    problem = seen_problem(row.problem)
    if problem is None:
        return render_template("submission_alone.html", submission=row, **verdict_values(row))
    return problem_page(problem, submission=row)


@pages.get("/submissions/<int:submission_id>/live")
@signed_in
def live(submission_id: int) -> Response:
    """For a script: what is known now, as data and as the panel's HTML.

    `seen`: wait for more cases than that.
    """
    user = me().id
    await_own(submission_id, user, wait_seconds(), request.args.get("seen", type=int))
    row = find_submission(submission_id, user)
    values = verdict_values(row)
    return jsonify(
        {
            "id": row.id,
            "state": row.state,
            "problem": row.problem,
            "framework": row.framework,
            "trial": row.samples_only,
            "ahead": values["ahead"],
            "cases": values["cases"],
            "verdict": row.verdict,
            "samples": values["samples"],
            "assigned": render_template("_assigned.html", assigned=assigned_now(row.problem)),
            "html": render_template("_verdict.html", submission=row, **values),
        }
    )


@pages.post("/submissions/<int:submission_id>/cancel")
@signed_in
def cancel(submission_id: int) -> Response:
    """Cancels a submission that is queued or being judged."""
    user = me().id
    stop_reading()
    try:
        if not submissions.cancel(service().database, user, submission_id):
            abort(404, Message("You have no submission of that number."))
    except SubmissionError as error:
        return failure(409, sentence(error))
    service().hub.notify(submission_id)
    return redirect(url_for("submit.show", submission_id=submission_id, wait=2), 303)


@pages.post("/submissions/<int:submission_id>/look-again")
@signed_in
@limiter.limit(submit_limit, key_func=by_learner)
def ask_again(submission_id: int) -> Response:
    """Asks the teachers of the assignment to look at this submission again."""
    user = me().id
    stop_reading()
    try:
        with service().database.write() as session:
            row = submissions.own(session, user, submission_id)
            if row is None:
                abort(404, Message("You have no submission of that number."))
            comments.ask(session, row, request.form.get("text", ""))
    except UsageError as error:
        return failure(422, sentence(error))
    page = url_for("submit.show", submission_id=submission_id, _anchor="comments")
    return redirect(page, 303)


# history


@pages.get("/problems/<slug>/submissions")
@signed_in
def history(slug: str) -> str:
    """Own submissions to a problem, the latest first."""
    problem = find_problem(slug)
    page = page_number()
    own = (
        Submission.user_id == me().id,
        Submission.problem == slug,
        Submission.samples_only.is_(False),
    )
    total = reading().scalar(select(func.count()).select_from(Submission).where(*own)) or 0
    sent = (
        reading()
        .scalars(
            select(Submission)
            .where(*own)
            .order_by(Submission.id.desc())
            .offset((page - 1) * PAGE)
            .limit(PAGE)
        )
        .all()
    )
    sent = see(reading(), sent, me().id)
    return render_template(
        "history.html",
        problem=problem,
        sent=sent,
        page=page,
        pages=-(-total // PAGE),
        total=total,
    )


@pages.get("/problems/<slug>/compare")
@signed_in
@costly
def compare(slug: str) -> str:
    """Two own submissions to a problem, side by side."""
    problem = find_problem(slug)
    wanted = [request.args.get(name, type=int) for name in ("a", "b")]
    chosen = [number for number in wanted if number is not None and 0 < number < 2**63]
    if len(chosen) != 2:
        abort(422, Message("Choose two submissions to compare."))
    left, right = (find_submission(number, me().id) for number in chosen)
    if {left.problem, right.problem} != {slug}:
        abort(404, Message("These are not two submissions to %(title)s.", title=problem.title))
    return render_template(
        "compare.html",
        problem=problem,
        left=left,
        right=right,
        diff=side_by_side(left.source, right.source),
    )
