"""The tables of what the programs of lessons computed, of answers to their questions, and of what
learners have completed.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, String, Text
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


class QuestionAnswer(Base):
    """A learner's last answer to a question of a lesson, and whether it was right at that time."""

    __tablename__ = "question_answers"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    lesson: Mapped[str] = mapped_column(String(80), primary_key=True)
    question: Mapped[str] = mapped_column(String(40), primary_key=True)
    answer: Mapped[str] = mapped_column(String(200))
    correct: Mapped[bool]
    at: Mapped[datetime] = mapped_column(default=now)


class Completion(Base):
    """When a learner first had done a lesson, all its questions, or a step of practice."""

    __tablename__ = "completions"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    slug: Mapped[str] = mapped_column(String(80), primary_key=True)
    step: Mapped[str] = mapped_column(String(16), primary_key=True, default="")
    at: Mapped[datetime] = mapped_column(default=now)
