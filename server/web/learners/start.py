"""Start here: what to do first, and one exercise whose samples run without an account."""

from flask import Blueprint, abort, jsonify, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response

from grader.errors import SubmissionError
from grader.model import Framework
from grader.problem import Problem
from server.messages import Message
from server.models.submissions import Submission
from server.services.visitors import trying
from server.web import lookups
from server.web.access import VISITOR_RUNS, asking, limiter, visitor_limit
from server.web.context import reading, service, stop_reading
from server.web.lookups import wait_seconds
from server.web.panels.front import lessons_before, may_try, opening
from server.web.polling import await_own
from server.web.texts import translate

pages = Blueprint("start", __name__)
FORM_WAIT_S = 4
KEPT = 5


@pages.get("/start")
def show() -> str:
    """Three steps. `run` is the number of a sample run, whose result is shown."""
    number = request.args.get("run", type=int)
    if number is None:
        return _page()
    return _page(run=_own(number))


@pages.post("/start")
@limiter.limit(visitor_limit)
def run() -> Response | tuple[str, int]:
    """Queues a visitor's sample run. Who has an account uses the page of the problem."""
    problem, running = _exercise(), service()
    if asking() is not None:
        return redirect(url_for("learn.problem", slug=problem.slug), 303)
    if not may_try():
        abort(403, Message("Here nothing runs without an account. Sign in, or sign up."))
    source, framework = request.form.get("source", ""), request.form.get("framework", "")
    stop_reading()
    try:
        row = trying.run(
            running.database,
            problem,
            framework,
            source,
            running.settings.source_limit,
            running.queue.put,
        )
    except SubmissionError as error:
        return _page(source=source, message=translate(error)), 422
    session[VISITOR_RUNS] = [*session.get(VISITOR_RUNS, []), row.id][-KEPT:]
    return redirect(url_for("start.show", run=row.id, wait=FORM_WAIT_S, _anchor="exercise"), 303)


@pages.get("/start/runs/<int:number>")
def live(number: int) -> Response:
    """For a script: the state, and the panel's HTML."""
    row = _own(number)
    return jsonify({"state": row.state, "html": render_template("_start_run.html", run=row)})


def _exercise() -> Problem:
    problem = trying.first_exercise(lookups.problems())
    if problem is None:
        abort(404, Message("The bank has no problem to begin with."))
    return problem


def _own(number: int) -> Submission:
    """A run that this browser has sent."""
    owner = trying.account(reading()) if number in session.get(VISITOR_RUNS, []) else None
    if owner is not None:
        await_own(number, owner, wait_seconds())
    row = trying.find(reading(), number) if owner is not None else None
    if row is None:
        abort(404, Message("You have no sample run of that number; each is kept for a while."))
    return row


def _page(run: Submission | None = None, source: str = "", message: str = "") -> str:
    problem = trying.first_exercise(lookups.problems())
    framework = _framework(problem, run) if problem is not None else Framework.NUMPY
    starter = problem.starters[framework] if problem is not None else ""
    return render_template(
        "start.html",
        problem=problem,
        framework=framework,
        source=source or (run.source if run is not None else starter),
        lessons=lessons_before(problem) if problem is not None else [],
        opening=opening(problem) if problem is not None else None,
        may_try=may_try(),
        run=run,
        message=message,
    )


def _framework(problem: Problem, run: Submission | None) -> Framework:
    wanted = run.framework if run is not None else request.values.get("framework", "")
    return next((f for f in problem.frameworks if f == wanted), problem.frameworks[0])
