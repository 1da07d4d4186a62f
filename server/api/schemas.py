"""The schemas of `/api/v1`: they check what comes in, filter what goes out, and describe both."""

from typing import Any

from apiflask import Schema, fields
from apiflask.validators import Range
from marshmallow import ValidationError

from grader.problem import did_you_mean
from server.messages import Message


class Body(Schema):
    """What a request sends. An unknown field is refused with the name that was probably meant."""

    def handle_error(self, error: ValidationError, data: Any, **_: Any) -> None:
        """Names the field that is close to an unknown one."""
        reasons = error.messages if isinstance(error.messages, dict) else {}
        for name in reasons.keys() - self.fields.keys() - {"_schema"}:
            reasons[name] = [f"Unknown field{did_you_mean(str(name), self.fields)}."]


class ProblemRow(Schema):
    """A problem as the list shows it."""

    slug = fields.String()
    title = fields.String()
    title_zh = fields.String()
    track = fields.String()
    difficulty = fields.String()
    frameworks = fields.List(
        fields.String(),
        metadata={"description": Message("What solutions are judged in here: numpy, torch.")},
    )
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


class NewSubmission(Body):
    """What is sent to be judged."""

    problem = fields.String(required=True, metadata={"description": Message("The problem's slug.")})
    framework = fields.String(required=True, metadata={"description": Message("numpy or torch.")})
    source = fields.String(
        required=True, metadata={"description": Message("Python, at most 64 KiB of UTF-8.")}
    )
    use_last = fields.Boolean(
        load_default=False,
        truthy={True},
        falsy={False},
        metadata={
            "description": Message(
                "Whether an assignment's last attempt that counts may be used. Without it, such a"
                " submission is refused with 409."
            )
        },
    )


class Sending(Schema):
    """A request that may be sent twice, and may wait."""

    key = fields.String(
        data_key="Idempotency-Key",
        metadata={
            "description": Message(
                "A request repeated with the same key makes no second submission (at most 64"
                " ASCII); with another body it is refused."
            )
        },
    )
    prefer = fields.String(
        data_key="Prefer",
        metadata={
            "description": Message(
                "`wait=SECONDS` (RFC 7240): the answer carries the verdict when it comes within so"
                " many seconds, at most 30."
            )
        },
    )


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
    cancelled = fields.Boolean(
        metadata={"description": Message("Whether it was cancelled: then there is no verdict.")}
    )
    verdict = fields.Dict(allow_none=True)


class Accepted(SubmissionDetail):
    """Where the verdict will be; with the submission when it is there already."""

    url = fields.String()


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
