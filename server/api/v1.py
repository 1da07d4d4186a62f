"""`/api/v1`: what `grade submit` and other programs use. The description at /api/v1/openapi.json is
made from this file.

APIFlask makes it: it is kept, it is Flask (the same sessions, errors and limits hold), and it
writes OpenAPI 3.1 from the schemas that also check and filter what goes in and out.
"""

from typing import Any

from apiflask import APIBlueprint, Schema, fields
from apiflask.validators import Range
from flask import Blueprint, current_app, render_template, url_for
from sqlalchemy import func, select

from grader import __version__
from grader.errors import SubmissionError
from grader.problem import Problem
from server.messages import Message, sentence
from server.models.base import now
from server.models.submissions import Submission
from server.services import statistics
from server.services.feedback import see
from server.web.access import asking, by_learner, limiter, me, signed_in, submit_limit
from server.web.context import reading, service
from server.web.failures import failure
from server.web.learners.problems import find_problem
from server.web.learners.submissions import accept, asked_wait, await_own, find_own

CONFIGURATION = {
    "OPENAPI_VERSION": "3.1.0",
    "INFO": {
        "version": __version__,
        "description": Message(
            "Problems, submissions and verdicts. Send a token as `Authorization: Bearer …`."
        ),
    },
    "SECURITY_SCHEMES": {
        "bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": Message("A token from your profile page."),
        }
    },
    "SUCCESS_DESCRIPTION": Message("Successful response"),
    "VALIDATION_ERROR_STATUS_CODE": 422,
    "AUTO_VALIDATION_ERROR_RESPONSE": False,
    "AUTO_404_RESPONSE": False,
    "AUTO_AUTH_ERROR_RESPONSE": False,
    "SYNC_LOCAL_SPEC": False,
}

routes = APIBlueprint("api", __name__, url_prefix="/api/v1", tag="judge")
pages = Blueprint("reference", __name__)

FAILURE = {
    "type": "object",
    "description": Message("What went wrong (RFC 9457)."),
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": Message("What to do about it.")},
        "fields": {
            "type": "object",
            "description": Message("The fields that were refused, each with its reasons."),
        },
    },
}
PROBLEM_JSON = {
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Failure"}}}
}


def describe_failures(spec: Any) -> Any:
    """Adds the object of every error to the description."""
    spec["components"]["schemas"]["Failure"] = FAILURE
    return spec


def errors(*codes: int) -> dict[int | str, Any]:
    """The answers of an endpoint that refuse, as the description has them."""
    said = {
        401: Message("No token, no session, or a token that was revoked."),
        404: Message("There is none, or it is somebody else's."),
        422: Message("The request cannot be accepted; `detail` says why."),
        429: Message("Too many submissions; Retry-After says when to go on."),
        503: Message(
            "The database cannot be written at the moment; nothing was stored. Retry-After says"
            " when to try again."
        ),
    }
    return {code: {"description": said[code], **PROBLEM_JSON} for code in codes}


class ProblemRow(Schema):
    """A problem as the list shows it."""

    slug = fields.String()
    title = fields.String()
    title_zh = fields.String()
    track = fields.String()
    difficulty = fields.String()
    frameworks = fields.List(fields.String())
    requires = fields.List(fields.String())
    source = fields.String(metadata={"description": Message("The paper.")})
    digest = fields.String(metadata={"description": Message("Names this version of the problem.")})
    state = fields.String(
        allow_none=True, metadata={"description": Message("solved, tried, or null.")}
    )
    acceptance = fields.Integer(
        allow_none=True, metadata={"description": Message("Accepted submissions in percent.")}
    )


class ProblemList(Schema):
    """Every problem, in teaching order."""

    problems = fields.List(fields.Nested(ProblemRow))


class ProblemDetail(ProblemRow):
    """A problem with its statement and starters."""

    statements = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        metadata={"description": Message("Markdown by language.")},
    )
    starters = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        metadata={"description": Message("Source by framework.")},
    )
    entries = fields.List(fields.String())


class NewSubmission(Schema):
    """What is sent to be judged."""

    problem = fields.String(required=True, metadata={"description": Message("The problem's slug.")})
    framework = fields.String(required=True, metadata={"description": Message("numpy or torch.")})
    source = fields.String(
        required=True, metadata={"description": Message("Python, at most 64 KiB of UTF-8.")}
    )


class Repeatable(Schema):
    """A request that may be sent twice."""

    key = fields.String(
        data_key="Idempotency-Key",
        metadata={
            "description": Message(
                "A request repeated with the same key makes no second submission (at most 64"
                " ASCII)."
            )
        },
    )


class Accepted(Schema):
    """Where the verdict will be."""

    id = fields.Integer()
    url = fields.String()


class SubmissionDetail(Schema):
    """A submission.

    `verdict` is null until it is judged, then the object that `grade run --format json` prints.
    """

    id = fields.Integer()
    state = fields.String(metadata={"description": Message("queued, running or done.")})
    problem = fields.String()
    framework = fields.String()
    submitted_at = fields.AwareDateTime()
    judged_at = fields.AwareDateTime(allow_none=True)
    verdict = fields.Dict(allow_none=True)


class SubmissionRow(SubmissionDetail):
    """The same, in a list."""


class SubmissionList(Schema):
    """Own submissions, the latest first."""

    submissions = fields.List(fields.Nested(SubmissionRow))
    total = fields.Integer()
    next = fields.String(
        allow_none=True, metadata={"description": Message("The address of the next page.")}
    )


class Listing(Schema):
    """Which part of the list."""

    problem = fields.String(metadata={"description": Message("Only this problem's.")})
    page = fields.Integer(load_default=1, validate=Range(min=1, max=1_000_000))
    per_page = fields.Integer(load_default=20, validate=Range(min=1, max=100))


class Waiting(Schema):
    """How long to wait for the verdict."""

    wait = fields.Float(
        load_default=0.0,
        metadata={
            "description": Message(
                "Seconds; the answer comes as soon as the verdict is there, at most after 30."
            )
        },
    )


class Me(Schema):
    """The account of the token."""

    name = fields.String()
    role = fields.String()
    display_name = fields.String(allow_none=True)
    solved = fields.List(fields.String())
    tried = fields.List(fields.String())


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
    return {"problems": [_row(p, mine, rates) for p in service().bank.problems()]}


@routes.get("/problems/<slug>")
@routes.output(ProblemDetail)
@routes.doc(
    summary="One problem",
    description=Message("Statement (Markdown), starters and entry points."),
    security=[{"bearer": []}, {}],
    responses=errors(404),
)
def problem(slug: str) -> dict[str, Any]:
    """Statement (Markdown), starters and entry points."""
    found = find_problem(slug)
    return {
        **_row(found, _mine(), statistics.rates(reading())),
        "statements": dict(found.statements),
        "starters": {str(f): text for f, text in found.starters.items()},
        "entries": [e.name for e in found.entries],
    }


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
        "frameworks": [str(f) for f in p.frameworks],
        "state": None if standing is None else "solved" if standing.solved else "tried",
        "acceptance": rate.percent if rate else None,
    }


@routes.post("/submissions")
@signed_in
@limiter.limit(submit_limit, key_func=by_learner)
@routes.input(NewSubmission, arg_name="sent")
@routes.input(Repeatable, location="headers", arg_name="headers")
@routes.output(Accepted, status_code=202)
@routes.doc(
    summary="Submit",
    description=Message(
        "Store the source to be judged. 202: it is stored, and will be judged whatever happens to the server."
    ),
    security=[{"bearer": []}],
    responses=errors(401, 404, 422, 429, 503),
)
def submit(sent: dict[str, str], headers: dict[str, str]) -> Any:
    """Store the source to be judged. 202: it is stored, and will be judged whatever happens to the
    server.
    """
    found = find_problem(sent["problem"])
    try:
        row = accept(found, sent["framework"], sent["source"], idempotency_key=headers.get("key"))
    except SubmissionError as error:
        return failure(422, sentence(error))
    url = url_for("api.submission", submission_id=row.id)
    return {"id": row.id, "url": url}, 202, {"Location": url}


@routes.get("/submissions/<int:submission_id>")
@signed_in
@routes.input(Waiting, location="query", arg_name="asked")
@routes.output(SubmissionDetail)
@routes.doc(
    summary="One submission",
    description=Message(
        "A submission of one's own; with `wait`, answers as soon as the verdict is there."
    ),
    security=[{"bearer": []}],
    responses=errors(401, 404, 422),
)
def submission(submission_id: int, asked: dict[str, float]) -> Submission:
    """A submission of one's own; with `wait`, answers as soon as the verdict is there."""
    user = me().id
    await_own(submission_id, user, asked_wait())
    return find_own(submission_id, user)


@routes.get("/submissions")
@signed_in
@routes.input(Listing, location="query", arg_name="asked")
@routes.output(SubmissionList)
@routes.doc(
    summary="Own submissions",
    description=Message("The latest first, in pages."),
    security=[{"bearer": []}],
    responses=errors(401, 422),
)
def submissions(asked: dict[str, Any]) -> dict[str, Any]:
    """The latest first, in pages."""
    own = [Submission.user_id == me().id, Submission.samples_only.is_(False)]
    if "problem" in asked:
        own.append(Submission.problem == asked["problem"])
    size, page = asked["per_page"], asked["page"]
    total = reading().scalar(select(func.count()).select_from(Submission).where(*own)) or 0
    found = (
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
    found = see(reading(), found, me().id)
    more = {
        **({"problem": asked["problem"]} if "problem" in asked else {}),
        "per_page": size,
        "page": page + 1,
    }
    return {
        "submissions": found,
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
    responses=errors(401),
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
