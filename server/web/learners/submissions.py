"""Sending a submission and reading its verdict: the form, the page, the answer to a script that
watches, history and comparison.
"""

from datetime import timedelta
from typing import Any

from flask import Blueprint, abort, jsonify, redirect, render_template, request, url_for
from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import undefer
from werkzeug.wrappers import Response

from grader.errors import SubmissionError
from grader.problem import Problem
from server.messages import Message, sentence
from server.models.database import clock
from server.models.submissions import State, Submission, WorkerSeen
from server.services import statistics, submissions
from server.services.courses.terms import check_attempts
from server.services.feedback import see
from server.services.rendering.diff import side_by_side
from server.web.access import by_learner, limiter, me, signed_in, submit_limit
from server.web.context import reading, service, stop_reading
from server.web.failures import failure, wants_json
from server.web.learners.problems import find_problem, problem_page
from server.web.throttle import costly
from server.web.waiting import wait_for

pages = Blueprint("submit", __name__)

PAGE = 30
FORM_WAIT_S = 4.0  # a form's answer waits so long for the verdict before it shows "queued"


def accept(
    problem: Problem,
    framework: str,
    source: str | bytes,
    *,
    samples_only: bool = False,
    idempotency_key: str | None = None,
) -> Submission:
    """The one way in, for form and API: check, write, commit, then tell the queue.

    Raises `SubmissionError`.
    """
    chosen = submissions.read_framework(problem, framework)
    text = submissions.read_source(source, service().settings.source_limit)
    key = idempotency_key
    if key is not None and not (0 < len(key) <= 64 and key.isascii() and key.isprintable()):
        raise SubmissionError(
            Message("The key of a repeated request has 1 to 64 printable ASCII characters.")
        )
    user = me().id
    stop_reading()
    with service().database.write() as session:
        if not samples_only and (key is None or not submissions.known(session, user, key)):
            check_attempts(session, user, problem.slug)
        row, new = submissions.submit(
            session,
            user,
            problem,
            chosen,
            text,
            samples_only=samples_only,
            idempotency_key=key,
        )
    if new:
        service().queue.put(row.id)
    return row


@pages.post("/problems/<slug>/submit")
@signed_in
@limiter.limit(submit_limit, key_func=by_learner)
def send(slug: str) -> Response | tuple[str, int]:
    """The editor's form. `action=samples` judges the samples only and keeps nothing."""
    problem = find_problem(slug)
    file = request.files.get("file")
    source: str | bytes = file.read() if file and file.filename else request.form.get("source", "")
    samples_only = request.form.get("action") == "samples"
    try:
        row = accept(
            problem,
            request.form.get("framework", ""),
            source,
            samples_only=samples_only,
            idempotency_key=request.form.get("once") or None,
        )
    except SubmissionError as error:
        if wants_json():
            return failure(422, sentence(error))
        kept = source[: service().settings.source_limit] if isinstance(source, str) else ""
        return (
            problem_page(
                problem,
                message=sentence(error),
                source=kept,
                framework=request.form.get("framework", ""),
            ),
            422,
        )
    if wants_json():
        url = url_for("submit.show", submission_id=row.id)
        answer = jsonify(
            {"id": row.id, "url": url, "live": url_for("submit.live", submission_id=row.id)}
        )
        answer.status_code = 202
        return answer
    return redirect(url_for("submit.show", submission_id=row.id, wait=int(FORM_WAIT_S)), 303)


_OWN = (
    select(Submission)
    .where(Submission.id == bindparam("b_id"), Submission.user_id == bindparam("b_user"))
    .options(undefer(Submission.shown))
)


def find_own(submission_id: int, user_id: int) -> Submission:
    """The asker's own submission; 404 for any other."""
    row = reading().scalar(_OWN, {"b_id": submission_id, "b_user": user_id})
    if row is None:
        abort(404, Message("You have no submission of that number."))
    return see(reading(), [row], user_id)[0]


_STATE = select(Submission.state, Submission.progress).where(
    Submission.id == bindparam("b_id"), Submission.user_id == bindparam("b_user")
)


def await_own(submission_id: int, user_id: int, seconds: float, seen: int | None = None) -> None:
    """Wait until the verdict is there or, when `seen` is given, more cases are judged than that;
    holds no connection of the database.
    """
    if not seconds:
        return
    stop_reading()
    running = service()

    def look() -> bool | None:
        with running.database.read() as session:
            row = session.execute(_STATE, {"b_id": submission_id, "b_user": user_id}).one_or_none()
        done = row is None or row.state == State.DONE
        return (
            True
            if done or (row is not None and seen is not None and len(row.progress or []) > seen)
            else None
        )

    wait_for(running.hub, submission_id, user_id, min(seconds, running.settings.wait_limit), look)


def asked_wait() -> float:
    """The `wait` of the address, in seconds; 422 when it is no number."""
    try:
        seconds = float(request.args.get("wait", 0))
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 3600:
        abort(422, Message("`wait` is a number of seconds, 0 or more."))
    return seconds


def asked_page() -> int:
    """The `page` of the address, from 1."""
    return min(max(1, request.args.get("page", 1, type=int)), 10**6)


@pages.get("/submissions/<int:submission_id>")
@signed_in
def show(submission_id: int) -> str:
    """The problem's page with this submission's source and verdict."""
    user = me().id
    await_own(submission_id, user, asked_wait())
    row = find_own(submission_id, user)
    problem = service().bank.get(row.problem)
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
    await_own(submission_id, user, asked_wait(), request.args.get("seen", type=int))
    row = find_own(submission_id, user)
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
            "html": render_template("_verdict.html", submission=row, **values),
        }
    )


def verdict_values(row: Submission) -> dict[str, Any]:
    """What `_verdict.html` shows of a submission."""
    shown = row.shown or {}
    notes = shown.get("notes", {})
    judged = row.verdict["cases"] if row.verdict else row.progress or []
    return {
        "cases": [
            {name: c[name] for name in ("name", "verdict", "sample", "message")}
            | {"note": notes.get(c["name"], "")}
            for c in judged
        ],
        "samples": shown.get("samples", []),
        "ahead": 0 if row.state == State.DONE else statistics.ahead(reading(), row),
    }


# -----------------------------------------------------------------------------------------------------------------------
# history


@pages.get("/problems/<slug>/submissions")
@signed_in
def history(slug: str) -> str:
    """Own submissions to a problem, the latest first."""
    problem = find_problem(slug)
    page = asked_page()
    own = (
        Submission.user_id == me().id,
        Submission.problem == slug,
        Submission.samples_only.is_(False),
    )
    total = reading().scalar(select(func.count()).select_from(Submission).where(*own)) or 0
    found = (
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
    found = see(reading(), found, me().id)
    return render_template(
        "history.html",
        problem=problem,
        found=found,
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
    left, right = (find_own(number, me().id) for number in chosen)
    if {left.problem, right.problem} != {slug}:
        abort(404, Message("These are not two submissions to %(title)s.", title=problem.title))
    return render_template(
        "compare.html",
        problem=problem,
        left=left,
        right=right,
        diff=side_by_side(left.source, right.source),
    )


# ----------------------------------------------------------------------------------------------------------------------
# the room


def room_trouble(opening: bool = True) -> str | None:
    """Why nothing is judged at the moment; None while a room stands, or (if `opening` will do) is
    being opened.
    """
    fresh = clock(reading()) - timedelta(seconds=max(15.0, 4 * service().settings.sweep))
    seen = reading().scalars(select(WorkerSeen).where(WorkerSeen.seen_at > fresh)).all()
    if any(worker.room == "ready" or (opening and worker.room == "opening") for worker in seen):
        return None
    return seen[0].last_error or "the room is being opened" if seen else "no worker is running"
