"""The tables of LTI 1.3: learning platforms, our key, who came from where, and the grades that go
back to them.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint, select
from sqlalchemy.orm import Mapped, Session, mapped_column, relationship

from server.models.accounts import User
from server.models.base import Base, now
from server.models.courses import Assignment, Course
from server.models.leased import Leased


class LtiPlatform(Base):
    """A learning platform that an admin registered, as it calls itself and us."""

    __tablename__ = "lti_platforms"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80), unique=True)
    issuer: Mapped[str] = mapped_column(String(255))
    client_id: Mapped[str] = mapped_column(String(255))  # ours, there
    auth_url: Mapped[str] = mapped_column(Text)
    token_url: Mapped[str] = mapped_column(Text)
    jwks_url: Mapped[str] = mapped_column(Text)
    # of token requests; empty: the token URL
    audience: Mapped[str] = mapped_column(Text, default="")
    deployments: Mapped[list[Any]]
    instructors: Mapped[bool] = mapped_column(default=True)  # whether it may make instructors here
    zone: Mapped[str] = mapped_column(String(64), default="UTC")  # of courses that begin there
    created_at: Mapped[datetime] = mapped_column(default=now)

    __table_args__ = (UniqueConstraint("issuer", "client_id"),)


class LtiKey(Base):
    """A key with which we sign; its public half is at /lti/keys. The latest signs."""

    __tablename__ = "lti_keys"
    id: Mapped[int] = mapped_column(primary_key=True)
    private_pem: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(default=now)


class LtiNonce(Base):
    """A launch that was accepted, so that it is accepted once.

    Removed when it is too old to be sent again.
    """

    __tablename__ = "lti_nonces"
    nonce_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    expires_at: Mapped[datetime]


class LtiPerson(Base):
    """Whose account a person of a platform has here.

    Never matched by name or address: a platform could claim any.
    """

    __tablename__ = "lti_people"
    issuer: Mapped[str] = mapped_column(String(255), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    user: Mapped[User] = relationship()


class LtiContext(Base):
    """Which course here is which course there."""

    __tablename__ = "lti_contexts"
    platform_id: Mapped[int] = mapped_column(ForeignKey("lti_platforms.id"), primary_key=True)
    context: Mapped[str] = mapped_column(String(255), primary_key=True)
    course_id: Mapped[int] = mapped_column(ForeignKey("courses.id"), index=True)
    # where it gives the list of its people; empty: nowhere
    memberships_url: Mapped[str] = mapped_column(Text, default="")
    platform: Mapped[LtiPlatform] = relationship()
    course: Mapped[Course] = relationship()


class LtiLine(Base):
    """A column of a platform's gradebook: a link there, the assignment that it opens, and where its
    scores go.
    """

    __tablename__ = "lti_lines"
    id: Mapped[int] = mapped_column(primary_key=True)
    platform_id: Mapped[int] = mapped_column(ForeignKey("lti_platforms.id"))
    resource_link: Mapped[str] = mapped_column(String(255))
    assignment_id: Mapped[int] = mapped_column(ForeignKey("assignments.id"), index=True)
    url: Mapped[str] = mapped_column(Text)
    looked_at: Mapped[datetime | None]  # none: every learner is to be looked at
    platform: Mapped[LtiPlatform] = relationship()
    assignment: Mapped[Assignment] = relationship()

    __table_args__ = (UniqueConstraint("platform_id", "resource_link"),)


class LtiGrade(Leased, Base):
    """A learner's score for a platform. It is sent until the platform accepts it."""

    __tablename__ = "lti_grades"
    line_id: Mapped[int] = mapped_column(ForeignKey("lti_lines.id"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    score: Mapped[float]
    maximum: Mapped[float]
    sent_at: Mapped[datetime | None]
    user: Mapped[User] = relationship()
    line: Mapped[LtiLine] = relationship()

    __table_args__ = (
        Index("ix_lti_grades_state", "state", "round", "id"),
        UniqueConstraint("line_id", "user_id"),
    )


def platforms_of(session: Session, course_id: int) -> list[str]:
    """The platforms from which learners come into a course."""
    query = (
        select(LtiPlatform.name)
        .join(LtiContext, LtiContext.platform_id == LtiPlatform.id)
        .where(LtiContext.course_id == course_id)
    )
    return list(session.scalars(query.order_by(LtiPlatform.name)))


def lists_of(session: Session, course_id: int) -> list[tuple[LtiPlatform, str]]:
    """The platforms that give the list of a course's people, each with the address of the list."""
    query = (
        select(LtiPlatform, LtiContext.memberships_url)
        .join(LtiContext, LtiContext.platform_id == LtiPlatform.id)
        .where(LtiContext.course_id == course_id, LtiContext.memberships_url != "")
        .order_by(LtiPlatform.name, LtiContext.context)
    )
    rows = session.execute(query)
    return [(platform, url) for platform, url in rows if platform.deployments]  # none: revoked
