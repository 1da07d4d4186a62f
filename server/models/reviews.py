"""The table of reviews: when a question or a practice item is to be asked again."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from server.models.base import Base


class Review(Base):
    """A card of the scheduler: one for each thing that a learner has answered."""

    __tablename__ = "reviews"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)  # question or practice
    subject: Mapped[str] = mapped_column(String(80), primary_key=True)  # a lesson or a problem
    item: Mapped[str] = mapped_column(String(64), primary_key=True)  # also names the framework
    due: Mapped[datetime]
    card: Mapped[dict[str, Any]]

    __table_args__ = (Index("ix_reviews_due", "user_id", "due"),)
