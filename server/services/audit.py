"""The audit log: role changes, publishes, rejudges, overrides.

Written in the transaction of the deed itself.
"""

from typing import Any

from sqlalchemy.orm import Session

from server.messages import Message, storable
from server.models.teaching import Deed

SAID = "said"  # in `Deed.detail`: the subject and the reason, where they can be translated


def note(
    session: Session, by: int | None, action: str, subject: str, reason: str = "", **detail: Any
) -> None:
    """Add a line: `action` such as `publish`, `subject` such as `causal_mask version 3`.

    Subject and reason are data or a message; the columns hold English.
    """
    texts = {"subject": subject, "reason": reason}
    said = {name: storable(text) for name, text in texts.items() if isinstance(text, Message)}
    row = Deed(by=by, action=action, subject=subject[:200], reason=reason[:2000])
    row.detail = {**detail, **({SAID: said} if said else {})} or None
    session.add(row)
