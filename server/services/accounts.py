"""Accounts, invitations and API tokens: what is written and what is compared.

Codes are kept as hashes only.
"""

import functools
import hashlib
import re
import secrets
import threading
import unicodedata
from collections.abc import Mapping
from datetime import timedelta

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import bindparam, func, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, joinedload

from grader.errors import UsageError
from server.lengths import checked
from server.messages import Message
from server.models.accounts import Invitation, PasswordReset, Role, Token, User
from server.models.base import now

NAME = re.compile(r"[^\W_][\w.\-]{1,38}", re.UNICODE)
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 256
TOKEN_PREFIX = "aj_"
NOTE_LENGTH = 80  # of an invitation
TOKEN_NAME_LENGTH = 40
INVITATION_DAYS, RESET_HOURS = 14, 24
ROLES: Mapping[str, Message] = {
    Role.LEARNER: Message("Learner"),
    Role.INSTRUCTOR: Message("Instructor"),
    Role.ADMIN: Message("Admin"),
}

hasher = PasswordHasher()
# each takes 64 MiB: as many sign-ins as there are threads would take 2 GiB
_hashing = threading.BoundedSemaphore(2)


@functools.cache
def _nobody() -> str:
    """A hash that is compared when there is no such account, so that both take as long."""
    return hasher.hash("nobody's password")


def fold(name: str) -> str:
    """The form in which names are compared: `Ada` and `ａｄａ` are one."""
    return unicodedata.normalize("NFKC", name).casefold()


def hash_code(code: str) -> str:
    """What is kept of a token, an invitation or a reset code: they are long and random, so a plain
    hash does.
    """
    return hashlib.sha256(code.encode(errors="replace")).hexdigest()


def check_name(name: str) -> str:
    """Raises `UsageError` with the rule for a name that cannot be taken."""
    name = unicodedata.normalize("NFKC", name.strip())
    if not NAME.fullmatch(name):
        raise UsageError(
            Message(
                "A name has 2 to 39 letters, digits, dots, hyphens or underscores, and begins with"
                " a letter or digit."
            )
        )
    return name


def check_password(password: str, name: str = "") -> str:
    """Raises `UsageError` with the rule for a password that is too weak to keep."""
    if len(password) < SHORTEST_PASSWORD:
        raise UsageError(
            Message("A password has at least %(least)s characters.", least=SHORTEST_PASSWORD)
        )
    if len(password) > LONGEST_PASSWORD or "\0" in password:
        raise UsageError(
            Message(
                "A password has at most %(most)s characters, and no NUL.", most=LONGEST_PASSWORD
            )
        )
    if name and fold(password) == fold(name):
        raise UsageError(Message("A password is not the name."))
    return password


def hash_password(password: str, name: str) -> str:
    """What is kept of a password.

    Slow on purpose: call it before a write begins, which holds SQLite's only lock. Raises
    `UsageError`.
    """
    check_password(password, name)
    with _hashing:
        return hasher.hash(password)


def add_user(
    session: Session, name: str, password: str, role: Role = Role.LEARNER, password_hash: str = ""
) -> User:
    """Make an account, with the hash if it was made before.

    Raises `UsageError` when the name is taken or a rule is broken.
    """
    name = check_name(name)
    password_hash = password_hash or hash_password(password, name)
    if find_user(session, name) is not None:
        raise UsageError(Message("The name %(name)s is taken.", name=name))
    user = User(
        name=name,
        folded=fold(name),
        role=role,
        password_hash=password_hash,
        session_key=secrets.token_urlsafe(16),
    )
    session.add(user)
    try:
        session.flush()
    except IntegrityError:
        raise UsageError(Message("The name %(name)s is taken.", name=name)) from None
    return user


def find_user(session: Session, name: str) -> User | None:
    """The account of that name."""
    if "\0" in name:  # PostgreSQL cannot even be asked
        return None
    return session.scalar(select(User).where(User.folded == fold(name.strip())))


def password_fits(user: User | None, password: str) -> bool:
    """Whether this is the account's password; takes as long when there is no account."""
    try:
        with _hashing:
            nobody = _nobody()  # made by the first sign-in of a process, whoever it is of
            right = hasher.verify(
                user.password_hash if user else nobody, password[:LONGEST_PASSWORD]
            )
        return right and user is not None and user.active
    except (VerificationError, InvalidHashError):
        return False


def set_password(session: Session, user: User, password_hash: str) -> None:
    """A new password (`hash_password`); every session, API token and reset link of the account
    ends.
    """
    user.password_hash = password_hash
    end_access(session, user)


def set_role(session: Session, user: User, role: Role, active: bool = True) -> None:
    """Another role, or a closed account.

    All access of the account ends, and so does what it gave to others.
    """
    user.role, user.active = role, active
    end_access(session, user)
    given = (
        PasswordReset.created_by == user.id,
        PasswordReset.used_at.is_(None),
        PasswordReset.expires_at > now(),
    )
    session.execute(update(PasswordReset).where(*given).values(expires_at=now()))
    unused = (
        Invitation.created_by == user.id,
        Invitation.used_at.is_(None),
        Invitation.expires_at > now(),
    )
    session.execute(update(Invitation).where(*unused).values(expires_at=now()))


def end_access(session: Session, user: User) -> None:
    """Ends all sessions, API tokens and reset links of an account.

    Session cookies carry `session_key`.
    """
    user.session_key = secrets.token_urlsafe(16)
    session.execute(
        update(Token)
        .where(Token.user_id == user.id, Token.revoked_at.is_(None))
        .values(revoked_at=now())
    )
    end_resets(session, user)


def end_resets(session: Session, user: User) -> None:
    """Ends the reset links of an account that are still open."""
    still_open = (
        PasswordReset.user_id == user.id,
        PasswordReset.used_at.is_(None),
        PasswordReset.expires_at > now(),
    )
    session.execute(update(PasswordReset).where(*still_open).values(expires_at=now()))


def invite(session: Session, role: Role, by: int | None, note: str = "") -> str:
    """A code with which one account of that role can be made. It cannot be shown again.

    Raises `UsageError` for a note that cannot be stored.
    """
    note = checked(Message("Note"), note, NOTE_LENGTH)
    code = secrets.token_urlsafe(16)
    ends = now() + timedelta(days=INVITATION_DAYS)
    session.add(
        Invitation(code_hash=hash_code(code), role=role, created_by=by, expires_at=ends, note=note)
    )
    return code


def find_invitation(session: Session, code: str) -> Invitation | None:
    """The invitation of that code, when it can still be used; nobody else can use it until this
    session ends.
    """
    invitation = session.scalar(
        select(Invitation).where(Invitation.code_hash == hash_code(code.strip())).with_for_update()
    )
    return (
        invitation
        if invitation is not None and invitation.used_at is None and invitation.expires_at > now()
        else None
    )


def first_invitation(session: Session) -> str | None:
    """A code for the first administrator, replacing the one made before; None when there is an
    administrator.
    """
    if session.scalar(select(func.count()).select_from(User).where(User.role == Role.ADMIN)):
        return None
    unused = (
        Invitation.role == Role.ADMIN,
        Invitation.created_by.is_(None),
        Invitation.used_at.is_(None),
    )
    session.execute(update(Invitation).where(*unused).values(expires_at=now()))
    return invite(session, Role.ADMIN, None, "the first account")


def make_token(session: Session, user: User, name: str) -> str:
    """A key to the API. It cannot be shown again. Raises `UsageError` for a bad name."""
    name = checked(Message("Name"), name, TOKEN_NAME_LENGTH)
    token = TOKEN_PREFIX + secrets.token_urlsafe(32)
    session.add(Token(user_id=user.id, name=name or "token", token_hash=hash_code(token)))
    return token


_TOKEN = (
    select(Token)
    .options(joinedload(Token.user))
    .where(Token.token_hash == bindparam("token_hash"), Token.revoked_at.is_(None))
)


def token_user(session: Session, token: str) -> tuple[User, Token] | None:
    """Whose key this is, when it holds."""
    row = session.scalar(_TOKEN, {"token_hash": hash_code(token)})
    return (row.user, row) if row is not None and row.user.active else None


def at_least(role: str, wanted: Role) -> bool:
    """Whether a role includes another."""
    order = list(Role)
    return order.index(Role(role)) >= order.index(wanted)
