"""The tables of a class: courses, who is in them, assignments, and scores set by hand."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import ForeignKey, String, Text, UniqueConstraint, true
from sqlalchemy.orm import Mapped, mapped_column, relationship

from server.models.accounts import User
from server.models.base import Base, now


class Late(StrEnum):
    """What late work counts."""

    NONE = "none"  # as much as work in time
    PERCENT = "percent"  # less by so many percent for each day begun
    CUTOFF = "cutoff"  # nothing


class Feedback(StrEnum):
    """How much of a verdict a learner of the class reads."""

    FULL = "full"
    DIAGNOSIS = "diagnosis"  # which cases fail and the hint; not where and how much
    VERDICT = "verdict"  # the verdict and the score
    AFTER_DUE = "after_due"  # nothing until the assignment is due, then everything


class ItemKind(StrEnum):
    """What an assignment gives besides problems."""

    LESSON = "lesson"  # to be read
    QUESTIONS = "questions"  # of a lesson
    PRACTICE = "practice"  # a step of a problem


class Course(Base):
    """A class. Its times are those of its zone."""

    __tablename__ = "courses"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(String(120))
    code: Mapped[str] = mapped_column(String(16), unique=True)
    zone: Mapped[str] = mapped_column(String(64))
    archived: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[datetime] = mapped_column(default=now)
    members: Mapped[list["Member"]] = relationship(back_populates="course")
    assignments: Mapped[list["Assignment"]] = relationship(
        back_populates="course", order_by="Assignment.due_at"
    )


class Member(Base):
    """Somebody in a course: a teacher of it, or a learner."""

    __tablename__ = "members"
    course_id: Mapped[int] = mapped_column(ForeignKey("courses.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    teaches: Mapped[bool] = mapped_column(default=False)
    joined_at: Mapped[datetime] = mapped_column(default=now)
    course: Mapped[Course] = relationship(back_populates="members")
    user: Mapped[User] = relationship()


class Assignment(Base):
    """Problems to be solved, and lessons and practice, between two moments, on terms."""

    __tablename__ = "assignments"
    id: Mapped[int] = mapped_column(primary_key=True)
    course_id: Mapped[int] = mapped_column(ForeignKey("courses.id"), index=True)
    title: Mapped[str] = mapped_column(String(120))
    opens_at: Mapped[datetime]
    due_at: Mapped[datetime]
    late: Mapped[str] = mapped_column(String(16), default=Late.NONE)
    late_percent: Mapped[int] = mapped_column(default=0)
    minutes: Mapped[int | None]  # from when a learner starts it; none: until it is due
    attempts: Mapped[int | None]  # that count, for each problem; none: as many as one likes
    feedback: Mapped[str] = mapped_column(String(16), default=Feedback.FULL)
    # may learners run the reference on inputs of their own, until it is due?
    own_inputs: Mapped[bool] = mapped_column(default=True, server_default=true())
    course: Mapped[Course] = relationship(back_populates="assignments")
    problems: Mapped[list["AssignmentProblem"]] = relationship(
        order_by="AssignmentProblem.position", cascade="all, delete-orphan"
    )
    items: Mapped[list["AssignmentItem"]] = relationship(
        order_by="AssignmentItem.position", cascade="all, delete-orphan"
    )

    @property
    def whole(self) -> float:
        """The points of everything in it."""
        return sum(problem.points for problem in self.problems) + sum(
            item.points for item in self.items
        )


class AssignmentProblem(Base):
    """A problem of an assignment, and what it is worth there."""

    __tablename__ = "assignment_problems"
    assignment_id: Mapped[int] = mapped_column(ForeignKey("assignments.id"), primary_key=True)
    slug: Mapped[str] = mapped_column(String(80), primary_key=True, index=True)
    position: Mapped[int]
    points: Mapped[float] = mapped_column(default=10.0)


class AssignmentItem(Base):
    """A lesson, its questions, or a step of practice in an assignment, and what it is worth."""

    __tablename__ = "assignment_items"
    assignment_id: Mapped[int] = mapped_column(ForeignKey("assignments.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    slug: Mapped[str] = mapped_column(String(80), primary_key=True)  # of a lesson or a problem
    step: Mapped[str] = mapped_column(String(16), primary_key=True, default="")  # of practice
    position: Mapped[int]
    points: Mapped[float] = mapped_column(default=1.0)

    @property
    def key(self) -> str:
        """Its name in forms and gradebooks: `lesson:SLUG`, `questions:SLUG` or
        `practice:SLUG:STEP`.
        """
        return ":".join(filter(None, (self.kind, self.slug, self.step)))


class Override(Base):
    """A score that a teacher set by hand, and why. The latest counts."""

    __tablename__ = "overrides"
    id: Mapped[int] = mapped_column(primary_key=True)
    assignment_id: Mapped[int] = mapped_column(ForeignKey("assignments.id"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    slug: Mapped[str] = mapped_column(String(120))  # of a problem, or the key of an item
    score: Mapped[float]
    reason: Mapped[str] = mapped_column(Text)
    by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (UniqueConstraint("assignment_id", "user_id", "slug"),)


class Extension(Base):
    """More time of an assignment for one learner, and why."""

    __tablename__ = "extensions"
    assignment_id: Mapped[int] = mapped_column(ForeignKey("assignments.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    due_at: Mapped[datetime]
    more_minutes: Mapped[int] = mapped_column(default=0, server_default="0")  # of a time limit
    reason: Mapped[str] = mapped_column(Text)
    by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    at: Mapped[datetime] = mapped_column(default=now)


class Start(Base):
    """When a learner started an assignment with a time limit."""

    __tablename__ = "starts"
    assignment_id: Mapped[int] = mapped_column(ForeignKey("assignments.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    started_at: Mapped[datetime]


class RosterEntry(Base):
    """Somebody whom the teachers of a course expect, and the account that came in for them."""

    __tablename__ = "roster"
    id: Mapped[int] = mapped_column(primary_key=True)
    course_id: Mapped[int] = mapped_column(ForeignKey("courses.id"))
    name: Mapped[str] = mapped_column(String(120))
    email: Mapped[str] = mapped_column(String(254))  # case folded: it names the entry
    group: Mapped[str] = mapped_column("section", String(60), key="group", default="")
    code: Mapped[str] = mapped_column(String(16), unique=True)  # to join with, for this person
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    user: Mapped[User | None] = relationship()

    __table_args__ = (UniqueConstraint("course_id", "email"),)


class Comment(Base):
    """What a teacher says of a submission or of a line of it, or its learner's request to look at
    it again.
    """

    __tablename__ = "comments"
    id: Mapped[int] = mapped_column(primary_key=True)
    submission_id: Mapped[int] = mapped_column(ForeignKey("submissions.id"), index=True)
    by: Mapped[int] = mapped_column(ForeignKey("users.id"))
    line: Mapped[int | None]
    text: Mapped[str] = mapped_column(Text)
    asks: Mapped[bool] = mapped_column(default=False)
    at: Mapped[datetime] = mapped_column(default=now)
    author: Mapped[User] = relationship()
