"""The model that is put together from one's own solutions: its parts, what it writes, where it
looks, and the certificate that every part is one's own.

Each run is a job of the queue of submissions; its page waits like that of an exploration.
"""

from flask import Blueprint, abort, flash, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from grader.capstone.writing import LONGEST, MOST, Prompt
from grader.errors import SubmissionError
from grader.findings.catalogue import catalogue
from grader.frameworks import has
from grader.model import Framework
from server.messages import Message
from server.models.capstone import Certificate
from server.models.submissions import Submission
from server.services.capstone import certificates, runs, solutions
from server.web.access import by_learner, limiter, me, signed_in, submit_limit
from server.web.context import reading, service, stop_reading
from server.web.lookups import find_run, wait_seconds
from server.web.pages.model_page import part_rows, speaks_alone
from server.web.panels.model import RunView, view_of
from server.web.polling import await_own
from server.web.texts import language, translate

pages = Blueprint("model", __name__)
FORM_WAIT_S = 2
LOOK_S = 0.4  # how long a script waits for more text


@pages.get("/model")
@signed_in
def home() -> str:
    """The parts, and the form for a prompt."""
    return _page()


@pages.post("/model")
@signed_in
@limiter.limit(submit_limit, key_func=by_learner)
def write() -> Response | tuple[str, int]:
    """Queues a text to be continued."""
    try:
        return _sent(runs.NewRun(me().id, runs.read_prompt(request.form)))
    except runs.PromptError as error:
        return _page(message=error.sentence(catalogue(language()))), 422
    except SubmissionError as error:
        return _page(message=translate(error)), 422


@pages.post("/model/certificate")
@signed_in
@limiter.limit(submit_limit, key_func=by_learner)
def certify() -> Response | tuple[str, int]:
    """Queues a comparison with the reference; if it comes out right, there is a certificate."""
    try:
        return _sent(runs.NewRun(me().id, Prompt(""), runs.read_name(request.form)))
    except SubmissionError as error:
        return _page(message=translate(error)), 422


def _sent(run: runs.NewRun) -> Response:
    running = service()
    problems = solutions.problems(running.bank)
    if problems is None:
        abort(404, Message("The model cannot run here."))
    stop_reading()
    row = runs.send(running.database, run, problems, running.queue.put)
    return redirect(
        url_for("model.show", model_run_id=row.id, wait=FORM_WAIT_S, _anchor="run"), 303
    )


@pages.get("/model/runs/<int:model_run_id>")
@signed_in
def show(model_run_id: int) -> str:
    """The page with a run; `layer` is the one whose maps are shown."""
    await_own(model_run_id, me().id, wait_seconds())
    return _page(find_run(model_run_id, me().id))


@pages.get("/model/runs/<int:model_run_id>/live")
@signed_in
def live(model_run_id: int) -> Response:
    """For a script: the state, and the panel's HTML with the text so far."""
    await_own(model_run_id, me().id, min(wait_seconds(), LOOK_S))
    row = find_run(model_run_id, me().id)
    html = render_template("_run.html", run=_view(row), certificate=_certificate())
    return jsonify({"state": row.state, "html": html})


@pages.post("/model/certificate/withdraw")
@signed_in
def withdraw() -> Response:
    """Removes one's certificate."""
    user = me().id
    stop_reading()
    with service().database.write() as session:
        certificates.withdraw(session, user)
    flash(translate("Your certificate is withdrawn; its link is dead."))
    return redirect(url_for("model.home"), 303)


@pages.get("/certificates/<token>")
def certificate(token: str) -> str:
    """What anybody with the link may read: that every part is somebody's own."""
    row = certificates.find(reading(), token[:80])
    if row is None:
        abort(404, Message("There is no such certificate; perhaps it was withdrawn."))
    known = {problem.slug: problem for problem in service().bank.problems()}
    parts = [(part, known.get(part["part"])) for part in row.parts]
    return render_template("certificate.html", certificate=row, parts=parts)


def _page(row: Submission | None = None, message: str = "") -> str:
    rows = part_rows(me().id) or []
    view = _view(row) if row is not None else None
    given = view.prompt if view is not None and not view.name else {}
    return render_template(
        "model.html",
        rows=rows,
        absent=not has(Framework.TORCH),
        own=sum(each.submission is not None for each in rows),
        alone=speaks_alone(me().id, rows),
        run=view,
        given=request.form if request.method == "POST" else given,
        message=message,
        certificate=_certificate(),
        longest=LONGEST,
        most=MOST,
        longest_name=runs.LONGEST_NAME,
    )


def _certificate() -> Certificate | None:
    return certificates.of(reading(), me().id)


def _view(row: Submission) -> RunView:
    return view_of(row, request.args.get("layer", 1, type=int))
