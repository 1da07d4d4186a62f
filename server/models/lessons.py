"""The table of what the programs of lessons computed."""

from datetime import datetime
from typing import Any

from sqlalchemy import String, Text
from sqlalchemy.orm import Mapped, mapped_column

from server.models.base import Base, now


class LessonResult(Base):
    """The values of a lesson, or why there are none; another version of it has a row of its own."""

    __tablename__ = "lesson_results"
    slug: Mapped[str] = mapped_column(String(80), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    computed: Mapped[dict[str, Any] | None]
    fault: Mapped[str] = mapped_column(Text, default="")
    computed_at: Mapped[datetime] = mapped_column(default=now)
