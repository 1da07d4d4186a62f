"""Certificates: made when a model of a learner's own parts wrote what the reference writes."""

import secrets
from collections.abc import Mapping
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from grader.capstone.parts import SLUGS
from server.models.capstone import Certificate
from server.models.database import clock
from server.services.capstone.runs import is_model

TOKEN_BYTES = 24


def note(
    session: Session,
    user_id: int,
    exploration: Mapping[str, Any] | None,
    shown: Mapping[str, Any],
) -> None:
    """Makes a certificate of a comparison that was asked for, if it came out right."""
    if not is_model(exploration) or exploration is None or not exploration["name"]:
        return
    result = shown.get("result") or {}
    own = {part["part"] for part in result.get("parts", ()) if part["own"]}
    if not result.get("right") or own != set(SLUGS):
        return
    withdraw(session, user_id)
    row = Certificate(
        token=secrets.token_urlsafe(TOKEN_BYTES),
        user_id=user_id,
        name=str(exploration["name"]),
        issued_at=clock(session),
        parts=list(result["parts"]),
        compared={"prompts": list(result["compared"]), "weights": result["weights"]},
    )
    session.add(row)


def of(session: Session, user_id: int) -> Certificate | None:
    """Returns a learner's certificate."""
    return session.scalar(select(Certificate).where(Certificate.user_id == user_id))


def find(session: Session, token: str) -> Certificate | None:
    """Returns the certificate of a link."""
    return session.get(Certificate, token)


def withdraw(session: Session, user_id: int) -> None:
    """Removes a learner's certificate; its link is dead from then on."""
    session.execute(delete(Certificate).where(Certificate.user_id == user_id))
