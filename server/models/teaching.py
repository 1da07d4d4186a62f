"""The tables of the instructors' side: problems written in the browser, courses, rejudging, and who
did what.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from server.models.accounts import User
from server.models.base import Base, now
from server.models.leased import Leased
from server.models.submissions import Submission


class Blob(Base):
    """The content of a file, by its SHA-256.

    Never changed; shared by every draft and version that has the same file.
    """

    __tablename__ = "blobs"
    sha: Mapped[str] = mapped_column(String(64), primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)


class Draft(Base):
    """A problem being written.

    `files` names each file's blob: `problems/cases.py`, `reference/numpy.py`, …
    """

    __tablename__ = "drafts"
    id: Mapped[int] = mapped_column(primary_key=True)
    slug: Mapped[str] = mapped_column(String(80))
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    files: Mapped[dict[str, Any]]
    created_at: Mapped[datetime] = mapped_column(default=now)
    changed_at: Mapped[datetime] = mapped_column(default=now)
    owner: Mapped[User] = relationship()

    __table_args__ = (UniqueConstraint("owner_id", "slug"),)


class Schedule(Base):
    """When a draft is to be published, with the files that it had when that was chosen."""

    __tablename__ = "schedules"
    draft_id: Mapped[int] = mapped_column(
        ForeignKey("drafts.id", ondelete="CASCADE"), primary_key=True
    )
    tree: Mapped[str] = mapped_column(String(64))
    at: Mapped[datetime]
    by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    note: Mapped[str] = mapped_column(String(400), default="")
    courses: Mapped[list[Any]] = mapped_column(default=list, server_default="[]")  # to limit it to
    zone: Mapped[str] = mapped_column(String(64), default="UTC", server_default="UTC")  # to show it


class Audience(Base):
    """A course whose members see a problem that is not open to everybody."""

    __tablename__ = "audiences"
    slug: Mapped[str] = mapped_column(String(80), primary_key=True)
    course_id: Mapped[int] = mapped_column(ForeignKey("courses.id"), primary_key=True, index=True)


class VerifyRun(Leased, Base):
    """One verification of a draft's files, as they were when it was requested."""

    __tablename__ = "verify_runs"
    draft_id: Mapped[int | None] = mapped_column(
        ForeignKey("drafts.id", ondelete="SET NULL"), index=True
    )
    slug: Mapped[str] = mapped_column(String(80))
    # of the files: a fit run lets exactly these be published
    tree: Mapped[str] = mapped_column(String(64))
    files: Mapped[dict[str, Any]]
    asked_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    asked_at: Mapped[datetime] = mapped_column(default=now)
    step: Mapped[str] = mapped_column(String(200), default="")
    steps_done: Mapped[int] = mapped_column(default=0)
    steps: Mapped[int] = mapped_column(default=0)
    finished_at: Mapped[datetime | None]
    fit: Mapped[bool | None]
    report: Mapped[dict[str, Any] | None]

    __table_args__ = (Index("ix_verify_runs_open", "state", "round", "id"),)


class Publication(Base):
    """A version of a problem that was published here.

    Kept for ever; the latest number of a slug is the one in use.
    """

    __tablename__ = "publications"
    id: Mapped[int] = mapped_column(primary_key=True)
    slug: Mapped[str] = mapped_column(String(80))
    number: Mapped[int]
    digest: Mapped[str] = mapped_column(String(64), index=True)
    title: Mapped[str] = mapped_column(String(200))
    files: Mapped[dict[str, Any]]
    note: Mapped[str] = mapped_column(String(400), default="")
    restores: Mapped[int | None]  # the number that was rolled back to
    by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    at: Mapped[datetime] = mapped_column(default=now)
    author: Mapped[User] = relationship()

    __table_args__ = (UniqueConstraint("slug", "number"),)


class Deed(Base):
    """A line of the audit log: who did what to what, and why. Only ever added to."""

    __tablename__ = "deeds"
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime] = mapped_column(default=now)
    by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))  # none: the command line
    action: Mapped[str] = mapped_column(String(40), index=True)
    subject: Mapped[str] = mapped_column(String(200))
    reason: Mapped[str] = mapped_column(Text, default="")
    detail: Mapped[dict[str, Any] | None]
    actor: Mapped[User | None] = relationship()

    __table_args__ = ({"sqlite_autoincrement": True},)


class Rejudge(Base):
    """Submissions to a problem judged once more, against one version, beside their verdicts; then
    applied or discarded.
    """

    __tablename__ = "rejudges"
    id: Mapped[int] = mapped_column(primary_key=True)
    problem: Mapped[str] = mapped_column(String(80), index=True)
    digest: Mapped[str] = mapped_column(String(64))
    reason: Mapped[str] = mapped_column(String(400))
    state: Mapped[str] = mapped_column(String(16), default="open")  # open, applied, discarded
    asked_by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    asked_at: Mapped[datetime] = mapped_column(default=now)
    closed_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    closed_at: Mapped[datetime | None]
    asker: Mapped[User] = relationship(foreign_keys=[asked_by])


class Rejudgement(Leased, Base):
    """One submission of a rejudge: the verdict it has, and the one it would get."""

    __tablename__ = "rejudgements"
    rejudge_id: Mapped[int] = mapped_column(ForeignKey("rejudges.id"), index=True)
    submission_id: Mapped[int] = mapped_column(ForeignKey("submissions.id"), index=True)
    # of the old verdict: whether it is still that one when the new one is applied
    judged_at: Mapped[datetime]
    old_outcome: Mapped[str] = mapped_column(String(32))
    old_score: Mapped[int]
    old_max: Mapped[int]
    outcome: Mapped[str | None] = mapped_column(String(32))
    score: Mapped[int | None]
    max_score: Mapped[int | None]
    cpu_ms: Mapped[float | None]
    message: Mapped[str] = mapped_column(Text, default="")
    verdict: Mapped[dict[str, Any] | None] = mapped_column(deferred=True)
    shown: Mapped[dict[str, Any] | None] = mapped_column(deferred=True)
    behaviour: Mapped[dict[str, Any] | None] = mapped_column(deferred=True)
    submission: Mapped[Submission] = relationship()

    __table_args__ = (
        Index("ix_rejudgements_open", "state", "round", "id"),
        UniqueConstraint("rejudge_id", "submission_id"),
    )


class Revision(Base):
    """A verdict that was replaced, as it was, and why."""

    __tablename__ = "revisions"
    id: Mapped[int] = mapped_column(primary_key=True)
    submission_id: Mapped[int] = mapped_column(ForeignKey("submissions.id"), index=True)
    rejudge_id: Mapped[int] = mapped_column(ForeignKey("rejudges.id"))
    at: Mapped[datetime] = mapped_column(default=now)
    reason: Mapped[str] = mapped_column(String(400))
    outcome: Mapped[str] = mapped_column(String(32))
    score: Mapped[int]
    max_score: Mapped[int]
    digest: Mapped[str] = mapped_column(String(64))
    verdict: Mapped[dict[str, Any]] = mapped_column(deferred=True)
