"""The tables of problems' versions and submissions, and what is kept beside them so that no page
counts.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    ForeignKey,
    Index,
    String,
    Text,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship

from server.models.accounts import User
from server.models.base import Base, now
from server.models.leased import Leased, State

__all__ = [
    "CANCELLED",
    "GaveUp",
    "HintUse",
    "ProblemCount",
    "ProblemVersion",
    "Rank",
    "State",
    "Submission",
    "Tries",
    "WorkerSeen",
]


class ProblemVersion(Base):
    """A problem as it once lay on disk, by its digest, with what the judge computed from it for the
    statement.
    """

    __tablename__ = "problem_versions"
    slug: Mapped[str] = mapped_column(String(80), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    title: Mapped[str] = mapped_column(String(200))
    current: Mapped[bool] = mapped_column(default=True)
    loaded_at: Mapped[datetime] = mapped_column(default=now)
    case_counts: Mapped[dict[str, Any] | None]  # by framework: how many cases there are
    # the sample cases with their answers, as `samples.sample_data` writes them
    samples: Mapped[list[Any] | None]


# the outcome of a run that its learner cancelled; its `max_score` says how many cases were shown
CANCELLED = "cancelled"
_SCORED = ["samples_only", "state", "outcome", "score", "max_score", "submitted_at"]


class Submission(Leased, Base):
    """One submission, and its job in the queue."""

    __tablename__ = "submissions"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    problem: Mapped[str] = mapped_column(String(80))
    framework: Mapped[str] = mapped_column(String(16))
    source: Mapped[str] = mapped_column(Text)
    # a sample run; removed after a while
    samples_only: Mapped[bool] = mapped_column("trial", key="samples_only", default=False)
    # of a sample run that looks into one case (`server.services.explorations`)
    exploration: Mapped[dict[str, Any] | None]
    # of the form or the Idempotency-Key header: a repeated request finds the same row
    idempotency_key: Mapped[str | None] = mapped_column("once", String(64), key="idempotency_key")
    submitted_at: Mapped[datetime] = mapped_column(default=now)
    progress: Mapped[list[Any] | None]
    judged_at: Mapped[datetime | None]
    digest: Mapped[str | None] = mapped_column(String(64))
    outcome: Mapped[str | None] = mapped_column(String(32))
    score: Mapped[int | None]
    max_score: Mapped[int | None]
    cpu_ms: Mapped[float | None]
    verdict: Mapped[dict[str, Any] | None]
    # notes of the cases, and the samples' numbers for the pictures
    shown: Mapped[dict[str, Any] | None] = mapped_column(deferred=True)
    # of a failure that nothing explains: `grader.diagnosis.behaviour`
    behaviour: Mapped[dict[str, Any] | None] = mapped_column(deferred=True)
    user: Mapped[User] = relationship()

    @property
    def cancelled(self) -> bool:
        """Whether its learner has cancelled it; while it runs, it is about to stop."""
        return self.outcome == CANCELLED

    __table_args__ = (
        Index("uq_submissions_once", "user_id", "idempotency_key", unique=True),
        Index(
            "uq_submissions_running",
            "user_id",
            unique=True,
            sqlite_where=text("state = 'running'"),
            postgresql_where=text("state = 'running'"),
        ),
        Index(
            "ix_submissions_queued",
            "round",
            "id",
            sqlite_where=text("state = 'queued'"),
            postgresql_where=text("state = 'queued'"),
        ),
        # What scores and counts follow from is in the index itself: a class's matrix need not fetch
        # thousands of rows.
        Index("ix_submissions_history", "user_id", "problem", "id", postgresql_include=_SCORED),
        Index("ix_submissions_latest", "user_id", "id"),
        Index("ix_submissions_problem", "problem", "id"),
        Index(
            "ix_submissions_trials",
            "judged_at",
            sqlite_where=text("trial"),
            postgresql_where=text("trial"),
        ),
        Index(
            "ix_submissions_errors",
            "id",
            sqlite_where=text("outcome = 'judge_error'"),
            postgresql_where=text("outcome = 'judge_error'"),
        ),
        {"sqlite_autoincrement": True},  # the number of a removed sample run is never given again
    )


class Tries(Base):
    """A learner's judged submissions to a problem in one line (`server.services.tries`)."""

    __tablename__ = "tries"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    problem: Mapped[str] = mapped_column(String(80), primary_key=True)
    judged: Mapped[int]
    accepted: Mapped[int]
    solved_at: Mapped[datetime | None]  # when the first accepted one was sent
    cpu_ms: Mapped[float | None]  # the least of those accepted

    __table_args__ = (
        Index(
            "ix_tries_fastest",
            "problem",
            "cpu_ms",
            sqlite_where=text("cpu_ms IS NOT NULL"),
            postgresql_where=text("cpu_ms IS NOT NULL"),
        ),
    )


class Rank(Base):
    """How many problems a learner has solved, and when the last of them."""

    __tablename__ = "ranks"
    user_id: Mapped[int] = mapped_column(
        ForeignKey("users.id"), primary_key=True, autoincrement=False
    )
    solved: Mapped[int]
    last_at: Mapped[datetime | None]

    __table_args__ = (Index("ix_ranks_solved", "solved"),)


class ProblemCount(Base):
    """Judged submissions to a problem, in parts that are counted apart."""

    __tablename__ = "problem_counts"
    problem: Mapped[str] = mapped_column(String(80), primary_key=True)
    part: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    judged: Mapped[int]
    accepted: Mapped[int]


class WorkerSeen(Base):
    """A sign of life of a process that judges, and whether its room stands."""

    __tablename__ = "workers"
    owner: Mapped[str] = mapped_column(String(120), primary_key=True)
    seen_at: Mapped[datetime] = mapped_column(default=now)
    room: Mapped[str] = mapped_column(String(16))  # opening, ready, unavailable
    last_error: Mapped[str] = mapped_column("trouble", Text, key="last_error", default="")
    numbers: Mapped[dict[str, Any] | None]  # `WorkerMetrics.snapshot` of the process


class GaveUp(Base):
    """A learner has asked for the solution before solving."""

    __tablename__ = "gave_up"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    problem: Mapped[str] = mapped_column(String(80), primary_key=True)
    at: Mapped[datetime] = mapped_column(default=now)


class HintUse(Base):
    """A learner has asked for a step of the hint to a known mistake."""

    __tablename__ = "hint_steps"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    problem: Mapped[str] = mapped_column(String(80), primary_key=True)
    mistake: Mapped[str] = mapped_column(String(200), primary_key=True)
    step: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # from 1
    # with which it was asked for; no reference, since a sample run is removed after a while
    submission_id: Mapped[int]
    at: Mapped[datetime] = mapped_column(default=now)
