"""`/api/v1` for `grade publish`: send a problem, watch its verification, publish it.

The same functions as the pages.
"""

from datetime import UTC
from typing import Any

from apiflask import APIBlueprint, Schema, fields
from flask import request, url_for

from grader.errors import GradeError, UsageError
from server.api.description import errors
from server.api.schemas import Body
from server.messages import Message, sentence
from server.models.accounts import Role
from server.models.teaching import VerifyRun
from server.services.problems import (
    archive,
    audiences,
    drafts,
    publishing,
    scheduling,
    verification,
)
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
NO_TIME = "Write a time with its offset from UTC, such as 2027-01-31T08:00:00+01:00, or null."


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


class Note(Body):
    """What is new in a version."""

    note = fields.String(load_default="")


class Courses(Note):
    """What is new, and for whom."""

    courses = fields.List(
        fields.Integer(),
        load_default=(),
        metadata={
            "description": Message(
                "Numbers of courses that you teach: only their learners get the problem, until it"
                " is opened. None: as before; a new problem is for everybody."
            )
        },
    )


class Time(Courses):
    """When a draft is published."""

    at = fields.AwareDateTime(
        required=True,
        allow_none=True,
        error_messages={"invalid": NO_TIME, "invalid_awareness": NO_TIME},
        metadata={"description": Message("A time to come with its offset from UTC, or null.")},
    )


class Scheduled(Schema):
    """What is published when."""

    problem = fields.String()
    at = fields.AwareDateTime(allow_none=True, metadata={"description": Message("In UTC.")})
    note = fields.String()
    courses = fields.List(fields.Integer())


class Course(Schema):
    """A course that one teaches."""

    id = fields.Integer()
    title = fields.String()
    code = fields.String(metadata={"description": Message("With it, learners join.")})


class Taught(Schema):
    """The courses that one teaches."""

    courses = fields.List(fields.Nested(Course))


class Version(Schema):
    """A version that learners get from now on."""

    problem = fields.String()
    number = fields.Integer()
    digest = fields.String()
    url = fields.String()


@routes.get("/courses")
@role_required(Role.INSTRUCTOR)
@routes.output(Taught)
@routes.doc(
    summary="Your courses",
    description=Message(
        "The courses that you teach, without archived ones: a new problem can be limited to them."
    ),
    security=[{"bearer": []}],
    responses=errors(403),
)
def courses() -> Any:
    """The courses that you teach, without archived ones."""
    return {"courses": audiences.choices(reading(), me())}


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
    responses=errors(403, 422),
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
    watched = url_for("publish.run", run_id=run.id)
    page = url_for("drafts.show", draft_id=draft.id)
    answer = {"draft": draft.id, "problem": slug, "run": watched, "page": page}
    return answer, 202, {"Location": watched}


@routes.get("/runs/<int:run_id>")
@role_required(Role.INSTRUCTOR)
@routes.input(Asked, location="query", arg_name="query")
@routes.output(Run)
@routes.doc(
    summary="One verification",
    description=Message(
        "A verification that one asked for; with `wait`, answers as soon as it is done."
    ),
    security=[{"bearer": []}],
    responses=errors(403, 404, 422),
)
def run(run_id: int, query: dict[str, float]) -> VerifyRun:
    """A verification that one asked for; with `wait`, answers as soon as it is done."""
    return await_run(run_id, min(max(query["wait"], 0.0), WAIT_S))


@routes.post("/drafts/<int:draft_id>/publish")
@role_required(Role.INSTRUCTOR)
@routes.input(Courses, arg_name="sent")
@routes.output(Version, status_code=201)
@routes.doc(
    summary="Publish",
    description=Message("Make a version of a draft that was found fit."),
    security=[{"bearer": []}],
    responses=errors(403, 404, 422),
)
def publish(draft_id: int, sent: dict[str, Any]) -> Any:
    """Make a version of a draft that was found fit."""
    user = me()
    before = service().bank.get(find_draft(reading(), draft_id).slug)
    stop_reading()
    try:
        with service().database.write() as session:
            draft = find_draft(session, draft_id)
            row = publishing.publish(
                session, draft, service().bank, user, sent["note"], sent["courses"]
            )
    except UsageError as error:
        return failure(422, sentence(error))
    bank_changed()
    diagnose_again(row.slug, before, user)
    url = url_for("learn.problem", slug=row.slug)
    return {"problem": row.slug, "number": row.number, "digest": row.digest, "url": url}


@routes.post("/drafts/<int:draft_id>/schedule")
@role_required(Role.INSTRUCTOR)
@routes.input(Time, arg_name="sent")
@routes.output(Scheduled)
@routes.doc(
    summary="Publish later",
    description=Message(
        "Publish the files that a draft has now at a time to come, in the place of an earlier"
        " choice; null takes the choice back. If they have changed by then, nothing is published,"
        " and the draft's owner is told."
    ),
    security=[{"bearer": []}],
    responses=errors(403, 404, 422),
)
def schedule(draft_id: int, sent: dict[str, Any]) -> Any:
    """Publish the files that a draft has now at a time to come, or take that back."""
    user, at = me(), sent["at"]
    plan = scheduling.Plan(at, sent["note"], tuple(sent["courses"])) if at else None
    stop_reading()
    try:
        with service().database.write() as session:
            draft = find_draft(session, draft_id)
            if plan is None:
                scheduling.cancel(session, draft, user)
                return {"problem": draft.slug, "at": None, "note": "", "courses": []}
            row = scheduling.schedule(session, draft, service().bank, user, plan)
            at = row.at.astimezone(UTC)
            return {"problem": draft.slug, "at": at, "note": row.note, "courses": row.courses}
    except UsageError as error:
        return failure(422, sentence(error))
