"""The audit log: role changes, publishes, rejudges, overrides.

Written in the transaction of the deed itself.
"""

from typing import Any

from sqlalchemy.orm import Session

from server.models.teaching import Deed


def note(
    session: Session, by: int | None, action: str, subject: str, reason: str = "", **detail: Any
) -> None:
    """Add a line: `action` such as `publish`, `subject` such as `causal_mask version 3`."""
    session.add(
        Deed(
            by=by, action=action, subject=subject[:200], reason=reason[:2000], detail=detail or None
        )
    )
