"""The tables of accounts: people, invitations, password links, API tokens."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import (
    ForeignKey,
    String,
)
from sqlalchemy.orm import Mapped, mapped_column, relationship

from server.models.base import Base, now


class Role(StrEnum):
    """What an account may do; each includes the ones before."""

    LEARNER = "learner"
    INSTRUCTOR = "instructor"
    ADMIN = "admin"


class User(Base):
    """An account."""

    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    # the name as it is compared: NFKC, case folded
    folded: Mapped[str] = mapped_column(String(80), unique=True)
    # shown on leaderboards; none: not shown there
    display_name: Mapped[str | None] = mapped_column(String(40))
    role: Mapped[str] = mapped_column(String(16), default=Role.LEARNER)
    password_hash: Mapped[str] = mapped_column(String(200))
    # in each session cookie; changes with password and role
    session_key: Mapped[str] = mapped_column(String(40))
    active: Mapped[bool] = mapped_column(default=True)
    created_at: Mapped[datetime] = mapped_column(default=now)


class Invitation(Base):
    """A code with which one account can be made; only its hash is kept."""

    __tablename__ = "invitations"
    id: Mapped[int] = mapped_column(primary_key=True)
    code_hash: Mapped[str] = mapped_column(String(64), unique=True)
    role: Mapped[str] = mapped_column(String(16))
    note: Mapped[str] = mapped_column(String(80), default="")
    created_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    created_at: Mapped[datetime] = mapped_column(default=now)
    expires_at: Mapped[datetime]
    used_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    used_at: Mapped[datetime | None]


class PasswordReset(Base):
    """A link, made by a teacher, an admin or on the command line, that sets a new password once."""

    __tablename__ = "password_resets"
    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    code_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    created_at: Mapped[datetime] = mapped_column(default=now)
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]
    user: Mapped[User] = relationship(foreign_keys=[user_id])


class Token(Base):
    """A key to the API; only its hash is kept."""

    __tablename__ = "tokens"
    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    name: Mapped[str] = mapped_column(String(40))
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime] = mapped_column(default=now)
    used_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
    user: Mapped[User] = relationship()
