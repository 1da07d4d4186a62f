"""The table of certificates of the capstone."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from server.models.base import Base, now


class Certificate(Base):
    """Says in public that every part of the model is its learner's, and what was compared.

    Whoever knows the token may read it; each learner has one at most.
    """

    __tablename__ = "certificates"
    token: Mapped[str] = mapped_column(String(43), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), unique=True)
    name: Mapped[str] = mapped_column(String(60))
    issued_at: Mapped[datetime] = mapped_column(default=now)
    # of each part: slug, framework, digest of the source, digest of the problem
    parts: Mapped[list[Any]]
    # prompts with how many characters are the reference's, and the digest of the weights
    compared: Mapped[dict[str, Any]]
