"""`/api/v1`: looking into a source: step by step, on the smallest input, on one's own, or what it
takes over the length of its inputs.
"""

from typing import Any

from apiflask import APIBlueprint, Schema, fields
from flask import url_for

from grader.errors import SubmissionError
from server.api.description import errors
from server.api.schemas import Accepted, Body, Waiting
from server.messages import Message, sentence
from server.models.submissions import State
from server.services import explorations, submissions
from server.web.access import by_learner, limiter, me, signed_in, submit_limit
from server.web.context import service, stop_reading
from server.web.failures import failure
from server.web.lookups import find_exploration, find_problem, wait_seconds
from server.web.polling import await_own

routes = APIBlueprint("explored", __name__, url_prefix="/api/v1", tag="explore")


class NewExploration(Body):
    """What is looked into."""

    kind = fields.String(
        required=True,
        metadata={
            "description": Message(
                "trace: every step in one case; shrink: the smallest input that shows a failure;"
                " try: an input of one's own; curve: time and memory over the length of the"
                " inputs, once a submission is accepted."
            )
        },
    )
    framework = fields.String(required=True, metadata={"description": Message("numpy or torch.")})
    source = fields.String(
        required=True, metadata={"description": Message("Python, at most 64 KiB of UTF-8.")}
    )
    case = fields.String(
        load_default="",
        metadata={
            "description": Message(
                "The name of a case. Of a hidden case, its public twin is looked into."
            )
        },
    )
    inputs = fields.String(
        load_default="",
        metadata={"description": Message("For try: an assignment for each argument, as Python.")},
    )


class ExplorationDetail(Schema):
    """An exploration.

    Once it is done, either `result` or `error` is there; with neither, the judge failed.
    """

    id = fields.Integer()
    state = fields.String(metadata={"description": Message("queued, running or done.")})
    problem = fields.String()
    framework = fields.String()
    kind = fields.String()
    result = fields.Dict(
        allow_none=True,
        metadata={
            "description": Message(
                "What `grade trace`, `grade shrink` and `grade try` tell as JSON; for a curve,"
                " what each program took at each size."
            )
        },
    )
    error = fields.Dict(
        allow_none=True,
        metadata={
            "description": Message("Why there is no result, such as what is wrong with the inputs.")
        },
    )


@routes.post("/problems/<slug>/explorations")
@signed_in
@limiter.limit(submit_limit, key_func=by_learner)
@routes.input(NewExploration, arg_name="sent")
@routes.output(Accepted, status_code=202)
@routes.doc(
    summary="Look into a source",
    description=Message(
        "Queue a trace, a search for the smallest failing input, or a run on one's own input. It"
        " is told of public inputs only, is in no history, and is kept for a few minutes."
    ),
    security=[{"bearer": []}],
    responses=errors(404, 422, 429),
)
def explore(slug: str, sent: dict[str, str]) -> Any:
    """Queues a trace, a search for the smallest failing input, or a run on one's own input."""
    problem, running = find_problem(slug), service()
    try:
        wanted = explorations.read(sent["kind"], sent["case"], sent["inputs"])
        new = submissions.NewSubmission(
            me().id, problem, sent["framework"], sent["source"], True, None, wanted
        )
        stop_reading()
        row = submissions.accept(
            running.database, new, running.settings.source_limit, running.queue.put
        )
    except SubmissionError as error:
        return failure(422, sentence(error))
    url = url_for("explored.exploration", exploration_id=row.id)
    return {"id": row.id, "url": url}, 202, {"Location": url}


@routes.get("/explorations/<int:exploration_id>")
@signed_in
@routes.input(Waiting, location="query", arg_name="waiting")
@routes.output(ExplorationDetail)
@routes.doc(
    summary="One exploration",
    description=Message("One of one's own; with `wait`, answers as soon as it is done."),
    security=[{"bearer": []}],
    responses=errors(404, 422),
)
def exploration(exploration_id: int, waiting: dict[str, float]) -> dict[str, Any]:
    """One of one's own; with `wait`, answers as soon as it is done."""
    user = me().id
    await_own(exploration_id, user, wait_seconds())
    row = find_exploration(exploration_id, user)
    shown = (row.shown or {}) if row.state == State.DONE else {}
    return {
        "id": row.id,
        "state": row.state,
        "problem": row.problem,
        "framework": row.framework,
        "kind": (row.exploration or {}).get("kind"),
        "result": shown.get("result"),
        "error": shown.get("error"),
    }
