"""Links that set a new password once.

Each one made and used is in the audit log, and its person is told.
"""

import secrets
from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.models.accounts import PasswordReset, User
from server.models.base import now
from server.services import accounts, authority, notices
from server.services.accounts import RESET_HOURS, hash_code
from server.services.audit import note


def make(session: Session, person: User, maker: User | None) -> str:
    """A code that sets this account's password once; earlier ones end. `maker`: None is the command
    line.

    Whoever calls this has checked `authority.may_make_link`.
    """
    accounts.end_resets(session, person)
    code = secrets.token_urlsafe(24)
    made_by, ends = maker.id if maker else None, now() + timedelta(hours=RESET_HOURS)
    row = PasswordReset(
        user_id=person.id, code_hash=hash_code(code), created_by=made_by, expires_at=ends
    )
    session.add(row)
    session.flush()
    note(session, made_by, "reset link", person.name, account=person.id, link=row.id)
    notices.tell(session, person.id, "reset_link", notices.actor(maker), reset_id=row.id)
    return code


def find(session: Session, code: str, *, use: bool = False) -> PasswordReset | None:
    """The reset of that code, while it holds; to `use` it, nobody else can until this session ends.

    A link holds no longer than its maker may make it: not after the person has another role or has
    left the course, nor after the maker has another role or is closed.
    """
    query = select(PasswordReset).where(PasswordReset.code_hash == hash_code(code))
    row = session.scalar(query.with_for_update() if use else query)
    if row is None or row.used_at is not None or row.expires_at <= now() or not row.user.active:
        return None
    if row.created_by is None:
        return row
    maker = session.get_one(User, row.created_by)
    return row if authority.may_make_link(session, maker, row.user) else None


def use(session: Session, row: PasswordReset, password_hash: str) -> User:
    """Sets the password; every session, token and other link of the account ends."""
    person = row.user
    accounts.set_password(session, person, password_hash)
    row.used_at = now()
    maker = session.get(User, row.created_by) if row.created_by else None
    by = maker.name if maker else "command line"
    note(session, person.id, "reset used", person.name, account=person.id, link=row.id, made_by=by)
    notices.tell_used(session, row.id)
    return person
