"""The columns that turn a table into a queue. `server.services.jobs` has the mechanism."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import String, Text
from sqlalchemy.orm import Mapped, mapped_column


class State(StrEnum):
    """Where a job is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"


class Leased:
    """A row that workers claim. The row is the truth: what is queued here will be done."""

    id: Mapped[int] = mapped_column(primary_key=True)
    state: Mapped[str] = mapped_column(String(16), default=State.QUEUED)
    # the smallest is next (`server.services.jobs.rounds`)
    round: Mapped[int] = mapped_column("turn", key="round", default=0, server_default="0")
    # counts claims, and fences: only the holder of the latest may write
    attempt: Mapped[int] = mapped_column(default=0)
    failures: Mapped[int] = mapped_column(default=0)  # of the judge or a platform, in a row
    not_before: Mapped[datetime | None]  # after a failure: when to try again
    lease_owner: Mapped[str | None] = mapped_column(String(120))
    lease_until: Mapped[datetime | None]
    # of the latest failure, for the operator
    last_error: Mapped[str | None] = mapped_column("trouble", Text, key="last_error")
