"""The tables of practice: the items of problems, and learners' answers to them."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from server.models.base import Base, now


class PracticeSet(Base):
    """The items of one version of a problem in a framework, as a learner may see them.

    Without items and without a fault, they are wanted, and the worker makes them.
    """

    __tablename__ = "practice_sets"
    slug: Mapped[str] = mapped_column(String(80), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    framework: Mapped[str] = mapped_column(String(16), primary_key=True)
    items: Mapped[list[Any] | None]
    fault: Mapped[str] = mapped_column(Text, default="")
    at: Mapped[datetime] = mapped_column(default=now)


class PracticeAnswer(Base):
    """A learner's last answer to an item, and when the item was solved first."""

    __tablename__ = "practice_answers"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    problem: Mapped[str] = mapped_column(String(80), primary_key=True)
    framework: Mapped[str] = mapped_column(String(16), primary_key=True)
    item: Mapped[str] = mapped_column(String(40), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64))  # another version has other items
    answer: Mapped[list[Any]]
    correct: Mapped[bool]
    kills: Mapped[dict[str, Any] | None]  # of inputs: which mistake fails on which, and its hint
    solved_at: Mapped[datetime | None]
    at: Mapped[datetime] = mapped_column(default=now)
