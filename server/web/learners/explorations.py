"""Looking into a submission: step by step, on the smallest input, on an input of one's own.

Each is a job of the queue of submissions; its page waits like that of a submission.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, abort, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from grader.errors import SubmissionError
from grader.problem import Problem
from server.messages import Message, sentence
from server.models.submissions import ProblemVersion, Submission
from server.services import explorations, submissions
from server.services.courses.terms import to_start
from server.services.explorations import Exploration
from server.web.access import by_learner, limiter, me, signed_in, submit_limit
from server.web.context import reading, service, stop_reading
from server.web.failures import failure, wants_json
from server.web.lookups import (
    find_exploration,
    find_own,
    find_problem,
    find_submission,
    latest,
    wait_seconds,
)
from server.web.panels.exploration import view_of
from server.web.panels.input_fields import Field, fields, of_text, written
from server.web.polling import await_own
from server.web.texts import translate

pages = Blueprint("explorations", __name__)
FORM_WAIT_S = 4


@pages.get("/problems/<slug>/try")
@signed_in
def own_input(slug: str) -> Response | str:
    """The form for one's own input: a field for each argument, beside the source."""
    problem = find_problem(slug)
    if to_start(reading(), me().id, slug) is not None:  # the page of the problem says so
        return redirect(url_for("learn.problem", slug=slug), 303)
    return _form(problem)


def _form(problem: Problem, message: str = "") -> str:
    samples, text = _samples(problem), request.form.get("inputs", "")
    row = _chosen(problem)
    wanted = request.values.get("framework") or (row.framework if row is not None else "")
    framework = next((f for f in problem.frameworks if f == wanted), problem.frameworks[0])
    same = row is not None and row.framework == framework
    source = row.source if row is not None and same else problem.starters[framework]
    return render_template(
        "try.html",
        problem=problem,
        framework=framework,
        source=request.form.get("source", source),
        fields=of_text(problem, samples, text) if text else fields(problem, samples, request.form),
        allowed=explorations.own_inputs(reading(), me().id, problem.slug),
        message=message,
    )


def _samples(problem: Problem) -> Sequence[Mapping[str, Any]]:
    version = reading().get(ProblemVersion, (problem.slug, problem.digest))
    return (version.samples if version else None) or []


def _chosen(problem: Problem) -> Submission | None:
    """One's own submission that the address names, else the latest.

    A form that is sent may name an exploration: what it looked into is tried again.
    """
    number = request.values.get("submission", type=int)
    if number is None:
        return latest(problem)
    find = find_own if request.method == "POST" else find_submission
    return _of(problem, find(number, me().id))


def _of(problem: Problem, row: Submission) -> Submission:
    """The row; 404 when it is another problem's."""
    if row.problem != problem.slug:
        abort(404, Message("You have no submission of that number."))
    return row


@pages.post("/problems/<slug>/explorations")
@signed_in
@limiter.limit(submit_limit, key_func=by_learner)
def begin(slug: str) -> Response | tuple[str, int]:
    """Queues an exploration of a submission of one's own, or of the source that is sent."""
    problem = find_problem(slug)
    kind = request.form.get("kind", "")
    try:
        sent = _sent(problem, kind)
        running = service()
        stop_reading()
        row = submissions.accept(
            running.database, sent, running.settings.source_limit, running.queue.put
        )
    except SubmissionError as error:
        if kind != Exploration.TRY or wants_json():
            return failure(422, sentence(error))
        return _form(problem, translate(error)), 422
    return redirect(url_for("explorations.show", exploration_id=row.id, wait=FORM_WAIT_S), 303)


def _sent(problem: Problem, kind: str) -> submissions.NewSubmission:
    """Raises `SubmissionError`; 404 for a submission that is not one's own."""
    form = request.form
    wanted = explorations.read(kind, form.get("case", ""), form.get("inputs") or written(form))
    framework, source = form.get("framework", ""), form.get("source", "")
    number = form.get("submission", type=int)
    if number is not None and not source:
        row = _of(problem, find_own(number, me().id))
        framework, source = row.framework, row.source
    return submissions.NewSubmission(
        me().id, problem, framework, source, samples_only=True, exploration=wanted
    )


@pages.get("/explorations/<int:exploration_id>")
@signed_in
def show(exploration_id: int) -> str:
    """The page of an exploration; `step` is the step of a trace to look at."""
    await_own(exploration_id, me().id, wait_seconds())
    return _shown("exploration.html", find_exploration(exploration_id, me().id))


def _shown(template: str, row: Submission) -> str:
    """The page or the panel; for inputs that were refused, with the form to correct them."""
    problem, view = find_problem(row.problem), view_of(row)
    again: list[Field] = []
    if view.error and view.kind == Exploration.TRY:
        again = of_text(problem, _samples(problem), view.inputs)
    return render_template(template, view=view, problem=problem, again=again)


@pages.get("/explorations/<int:exploration_id>/live")
@signed_in
def live(exploration_id: int) -> Response:
    """For a script: the state, and the panel's HTML."""
    await_own(exploration_id, me().id, wait_seconds())
    row = find_exploration(exploration_id, me().id)
    return jsonify({"state": row.state, "html": _shown("_exploration.html", row)})
