"""The table of what people are told that others did."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from server.models.base import Base, now


class Notice(Base):
    """One thing that somebody is told."""

    __tablename__ = "notices"
    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    at: Mapped[datetime] = mapped_column(default=now)
    kind: Mapped[str] = mapped_column(String(40))
    detail: Mapped[dict[str, Any]]
    reset_id: Mapped[int | None] = mapped_column(ForeignKey("password_resets.id"))
    dismissed_at: Mapped[datetime | None]

    __table_args__ = (Index("ix_notices_user", "user_id", "id"),)
