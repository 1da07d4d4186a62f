"""The kinds of jobs, and everything in which their queues differ."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from server.models.leased import Leased
from server.models.lti import LtiGrade
from server.models.submissions import Submission
from server.models.teaching import Rejudgement, VerifyRun


@dataclass(frozen=True, slots=True, eq=False)
class JobKind:
    """A table of jobs. Kinds are compared by identity, so that statements are cached for each."""

    table: type[Leased]
    # the column whose values are served round-robin
    fair_key: str
    # what a claim returns beside the lease
    columns: tuple[str, ...] = ()
    # the largest value of this column marks the latest job of a fair key
    newest: str = "id"
    # at most one running job for each fair key; the table has a unique index for it
    one_at_a_time: bool = False
    # failures before a job becomes a dead letter; None: it is retried until it succeeds
    attempts: int | None = 3
    lease_s: float = 30.0
    longest_pause_s: float = 3600.0
    # the column that gets the time of the end
    ended_at: str | None = None
    # columns that belong to one claim, with their values before it
    progress: Mapping[str, Any] = field(default_factory=dict)
    # PostgreSQL's channel that says which job has changed
    channel: str | None = None


SUBMISSIONS = JobKind(
    Submission,
    fair_key="user_id",
    columns=(
        *("user_id", "problem", "framework", "source", "samples_only", "exploration"),
        *("submitted_at", "outcome"),
    ),
    one_at_a_time=True,
    ended_at="judged_at",
    progress={"progress": None},
    channel="judged",
)
VERIFICATIONS = JobKind(
    VerifyRun,
    fair_key="asked_by",
    columns=("slug", "files"),
    ended_at="finished_at",
    progress={"step": "", "steps_done": 0, "steps": 0},
)
REJUDGEMENTS = JobKind(Rejudgement, fair_key="rejudge_id", columns=("rejudge_id", "submission_id"))
GRADES = JobKind(
    LtiGrade,
    fair_key="line_id",
    columns=("line_id", "user_id", "score", "maximum"),
    newest="round",  # a row is queued again when its score changes
    attempts=None,
    lease_s=60.0,
    longest_pause_s=6 * 3600.0,
    ended_at="sent_at",
)
KINDS = (SUBMISSIONS, VERIFICATIONS, REJUDGEMENTS, GRADES)
