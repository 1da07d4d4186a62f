"""`/api/v1`: what `grade submit` and other programs use. The description at /api/v1/openapi.json is
made from this file and from `server.api.schemas`.

APIFlask makes it: it is kept, it is Flask (the same sessions, errors and limits hold), and it
writes OpenAPI 3.1 from the schemas that also check and filter what goes in and out.
"""

from typing import Any

from apiflask import APIBlueprint
from flask import Blueprint, abort, current_app, render_template, request, url_for
from sqlalchemy import func, select

from grader.errors import SubmissionError
from grader.problem import Problem
from server.api.description import JUDGED, errors
from server.api.preferences import answered_by, preferred_wait
from server.api.refusals import refusal
from server.api.schemas import (
    Accepted,
    Listing,
    Me,
    NewSubmission,
    ProblemDetail,
    ProblemList,
    Sending,
    SubmissionDetail,
    SubmissionList,
    Waiting,
)
from server.messages import Message, sentence
from server.models.base import now
from server.models.submissions import State, Submission
from server.services import statistics
from server.services import submissions as sending
from server.services.courses.terms import check_started
from server.services.feedback import see
from server.web import lookups
from server.web.access import asking, by_learner, limiter, me, signed_in, submit_limit
from server.web.context import reading, service, stop_reading
from server.web.failures import failure
from server.web.lookups import find_own, find_problem, find_submission, wait_seconds
from server.web.polling import await_own, await_sent

routes = APIBlueprint("api", __name__, url_prefix="/api/v1", tag="judge")
pages = Blueprint("reference", __name__)

_DETAIL = tuple(SubmissionDetail().fields)


@routes.get("/problems")
@routes.output(ProblemList)
@routes.doc(
    summary="All problems",
    description=Message(
        "Every problem, in teaching order; with a token also whether it is solved."
    ),
    security=[{"bearer": []}, {}],
)
def problems() -> dict[str, Any]:
    """Every problem, in teaching order; with a token also whether it is solved."""
    session, mine = reading(), _mine()
    rates = statistics.rates(session)
    return {"problems": [_row(p, mine, rates) for p in lookups.problems()]}


@routes.get("/problems/<slug>")
@routes.output(ProblemDetail)
@routes.doc(
    summary="One problem",
    description=Message("Statement (Markdown), starters and entry points."),
    security=[{"bearer": []}, {}],
    responses=errors(403, 404),
)
def problem(slug: str) -> dict[str, Any]:
    """Statement (Markdown), starters and entry points."""
    chosen = find_problem(slug)
    _refuse_unstarted(slug)
    return {
        **_row(chosen, _mine(), statistics.rates(reading())),
        "statements": dict(chosen.statements),
        "starters": {str(f): text for f, text in chosen.starters.items()},
        "entries": [e.name for e in chosen.entries],
    }


def _refuse_unstarted(slug: str) -> None:
    user = asking()
    try:
        if user is not None:
            check_started(reading(), user.id, slug)
    except SubmissionError as error:
        abort(403, sentence(error))


def _mine() -> dict[str, statistics.Standing]:
    user = asking()
    return statistics.standings(reading(), user.id) if user is not None else {}


def _row(
    p: Problem, mine: dict[str, statistics.Standing], rates: dict[str, statistics.Rate]
) -> dict[str, Any]:
    standing, rate = mine.get(p.slug), rates.get(p.slug)
    plain = {
        name: getattr(p, name)
        for name in (
            "slug",
            "title",
            "title_zh",
            "track",
            "difficulty",
            "requires",
            "source",
            "digest",
        )
    }
    return plain | {
        "frameworks": [str(f) for f in p.declared if f not in p.missing],
        "state": None if standing is None else "solved" if standing.solved else "tried",
        "acceptance": rate.percent if rate else None,
    }


def _wait() -> int:
    """Returns the seconds that this request may wait for its verdict."""
    most = int(service().settings.wait_limit)
    return min(preferred_wait(request.headers.get("Prefer", "")), most)


def _sent(number: int, waited: bool = True) -> Any:
    """Where a submission is; and the submission itself, when the answer waited and it is judged."""
    url = url_for("api.submission", submission_id=number)
    answer, headers = {"id": number, "url": url}, {"Location": url}
    if not waited:
        return answer, 202, headers
    headers["Preference-Applied"] = f"wait={_wait()}"
    row = find_own(number, me().id, shown=False)
    if row.state != State.DONE:
        return answer, 202, headers
    return {name: getattr(row, name) for name in _DETAIL} | answer, 200, headers


@routes.post("/submissions")
@signed_in
@routes.output(Accepted, status_code=202)
@routes.doc(
    summary="Submit",
    description=Message(
        "Store the source to be judged. 202: it is stored, and will be judged whatever happens to"
        " the server. 200: it is judged, within the time of `Prefer: wait`."
    ),
    security=[{"bearer": []}],
    responses=JUDGED | errors(404, 409, 422, 429),
)
@answered_by(_sent)
@limiter.limit(submit_limit, key_func=by_learner)
@routes.input(NewSubmission, arg_name="sent")
@routes.input(Sending, location="headers", arg_name="headers")
def submit(sent: dict[str, Any], headers: dict[str, str]) -> Any:
    """Store the source to be judged. 202: it is stored, and will be judged whatever happens to the
    server. 200: it is judged, within the time of `Prefer: wait`.
    """
    chosen = find_problem(sent["problem"])
    new = sending.NewSubmission(
        me().id,
        chosen,
        sent["framework"],
        sent["source"],
        idempotency_key=headers.get("key"),
        use_last=sent["use_last"],
    )
    running = service()
    stop_reading()
    try:
        row = sending.accept(
            running.database, new, running.settings.source_limit, running.queue.put
        )
    except SubmissionError as error:
        return refusal(error)
    return _sent(row.id, _wait() > 0 and await_sent(row.id, me().id, _wait()))


@routes.get("/submissions/<int:submission_id>")
@signed_in
@routes.input(Waiting, location="query", arg_name="waiting")
@routes.output(SubmissionDetail)
@routes.doc(
    summary="One submission",
    description=Message(
        "A submission of one's own; with `wait`, answers as soon as the verdict is there."
    ),
    security=[{"bearer": []}],
    responses=errors(404, 422),
)
def submission(submission_id: int, waiting: dict[str, float]) -> Submission:
    """A submission of one's own; with `wait`, answers as soon as the verdict is there."""
    user = me().id
    await_own(submission_id, user, wait_seconds())
    return find_submission(submission_id, user, shown=False)


@routes.post("/submissions/<int:submission_id>/cancel")
@signed_in
@routes.output(SubmissionDetail)
@routes.doc(
    summary="Cancel",
    description=Message(
        "Cancels a submission of one's own that is queued or being judged. It counts as no attempt,"
        " unless cases of it had been shown."
    ),
    security=[{"bearer": []}],
    responses=errors(404, 409),
)
def cancel(submission_id: int) -> Any:
    """Cancels a submission of one's own that is queued or being judged. It counts as no attempt,
    unless cases of it had been shown.
    """
    user = me().id
    stop_reading()
    try:
        if not sending.cancel(service().database, user, submission_id):
            return failure(
                404, Message("You have no submission of that number.", code="no_such_submission")
            )
    except SubmissionError as error:
        return failure(409, sentence(error))
    service().hub.notify(submission_id)
    return find_own(submission_id, user, shown=False)


@routes.get("/submissions")
@signed_in
@routes.input(Listing, location="query", arg_name="query")
@routes.output(SubmissionList)
@routes.doc(
    summary="Own submissions",
    description=Message("The latest first, in pages."),
    security=[{"bearer": []}],
    responses=errors(422),
)
def submissions(query: dict[str, Any]) -> dict[str, Any]:
    """The latest first, in pages."""
    own = [Submission.user_id == me().id, Submission.samples_only.is_(False)]
    if "problem" in query:
        own.append(Submission.problem == query["problem"])
    size, page = query["per_page"], query["page"]
    total = reading().scalar(select(func.count()).select_from(Submission).where(*own)) or 0
    rows = (
        reading()
        .scalars(
            select(Submission)
            .where(*own)
            .order_by(Submission.id.desc())
            .offset((page - 1) * size)
            .limit(size)
        )
        .all()
    )
    rows = see(reading(), rows, me().id)
    more = {
        **({"problem": query["problem"]} if "problem" in query else {}),
        "per_page": size,
        "page": page + 1,
    }
    return {
        "submissions": rows,
        "total": total,
        "next": url_for("api.submissions", **more) if page * size < total else None,
    }


@routes.get("/me")
@signed_in
@routes.output(Me)
@routes.doc(
    summary="The account",
    description=Message("Whose token this is, and what is solved."),
    security=[{"bearer": []}],
)
def account() -> dict[str, Any]:
    """Whose token this is, and what is solved."""
    mine = statistics.standings(reading(), me().id)
    return {
        "name": me().name,
        "role": me().role,
        "display_name": me().display_name,
        "solved": [slug for slug, s in mine.items() if s.solved],
        "tried": [slug for slug, s in mine.items() if not s.solved],
    }


@pages.get("/api")
def reference() -> str:
    """The description, to be read: made from the same object, without a script."""
    return render_template("api.html", spec=current_app.spec, made=now())  # type: ignore[attr-defined]
