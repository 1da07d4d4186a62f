"""`/api/v1` for `grade publish`: send a problem, watch its verification, publish it.

The same functions as the pages.
"""

from typing import Any

from apiflask import APIBlueprint, Schema, fields
from flask import request, url_for

from grader.errors import GradeError, UsageError
from server.api.description import errors
from server.messages import Message, sentence
from server.models.accounts import Role
from server.models.teaching import VerifyRun
from server.services.problems import archive, drafts, publishing, verification
from server.web.access import me, role_required, takes_bytes
from server.web.context import (
    bank_changed,
    diagnose_again,
    reading,
    service,
    stop_reading,
    wake_chores,
)
from server.web.failures import failure
from server.web.lookups import find_draft
from server.web.polling import await_run

routes = APIBlueprint("publish", __name__, url_prefix="/api/v1", tag="teaching")

WAIT_S = 30.0


class Sent(Schema):
    """A draft, and where its verification is watched."""

    draft = fields.Integer()
    problem = fields.String()
    run = fields.String(metadata={"description": Message("Address of the verification.")})
    page = fields.String(metadata={"description": Message("Address of the draft in a browser.")})


class Run(Schema):
    """A verification.

    `report` is null until it is done: findings with their remedy, and a kill matrix a framework.
    """

    state = fields.String(metadata={"description": Message("queued, running or done.")})
    step = fields.String()
    fit = fields.Boolean(allow_none=True)
    report = fields.Dict(allow_none=True)


class Asked(Schema):
    """How long to wait."""

    wait = fields.Float(load_default=0.0, metadata={"description": Message("Seconds, at most 30.")})


class Note(Schema):
    """What is new in a version."""

    note = fields.String(load_default="")


class Version(Schema):
    """A version that learners get from now on."""

    problem = fields.String()
    number = fields.Integer()
    digest = fields.String()
    url = fields.String()


@routes.post("/drafts")
@takes_bytes(archive.ZIP_BYTES + 1)
@role_required(Role.INSTRUCTOR)
@routes.output(Sent, status_code=202)
@routes.doc(
    summary="Send a problem",
    description=Message(
        "The body is a zip of problems/NAME and reference/NAME. It becomes your draft of that"
        " name, and is verified."
    ),
    security=[{"bearer": []}],
    responses=errors(401, 422, 503),
)
def send() -> Any:
    """The body is a zip of problems/NAME and reference/NAME.

    It becomes your draft of that name, and is verified.
    """
    user = me().id
    try:
        slug, content = archive.read_zip(archive.spool(request.stream))
        stop_reading()
        with service().database.write() as session:
            draft = drafts.put(session, slug, content, user)
            run = verification.ask(session, draft, user)
    except GradeError as error:
        return failure(422, sentence(error))
    wake_chores()
    page = url_for("drafts.show", draft_id=draft.id)
    return {
        "draft": draft.id,
        "problem": slug,
        "run": url_for("publish.run", run_id=run.id),
        "page": page,
    }


@routes.get("/runs/<int:run_id>")
@role_required(Role.INSTRUCTOR)
@routes.input(Asked, location="query", arg_name="asked")
@routes.output(Run)
@routes.doc(
    summary="One verification",
    description=Message(
        "A verification that one asked for; with `wait`, answers as soon as it is done."
    ),
    security=[{"bearer": []}],
    responses=errors(401, 404, 422),
)
def run(run_id: int, asked: dict[str, float]) -> VerifyRun:
    """A verification that one asked for; with `wait`, answers as soon as it is done."""
    return await_run(run_id, min(max(asked["wait"], 0.0), WAIT_S))


@routes.post("/drafts/<int:draft_id>/publish")
@role_required(Role.INSTRUCTOR)
@routes.input(Note, arg_name="sent")
@routes.output(Version, status_code=201)
@routes.doc(
    summary="Publish",
    description=Message("Make a version of a draft that was found fit."),
    security=[{"bearer": []}],
    responses=errors(401, 404, 422, 503),
)
def publish(draft_id: int, sent: dict[str, str]) -> Any:
    """Make a version of a draft that was found fit."""
    user = me()
    before = service().bank.get(find_draft(reading(), draft_id).slug)
    stop_reading()
    try:
        with service().database.write() as session:
            row = publishing.publish(
                session, find_draft(session, draft_id), service().bank, user, sent["note"]
            )
    except UsageError as error:
        return failure(422, sentence(error))
    bank_changed()
    diagnose_again(row.slug, before, user)
    url = url_for("learn.problem", slug=row.slug)
    return {"problem": row.slug, "number": row.number, "digest": row.digest, "url": url}
