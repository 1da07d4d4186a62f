"""From a draft that verify found fit to a version that learners get; and back to an earlier one."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from grader.errors import UsageError
from server.messages import Message
from server.models.accounts import Role, User
from server.models.teaching import Draft, Publication
from server.services import accounts, notices
from server.services.audit import note as audit
from server.services.problems import audiences, files, published, verification
from server.services.problems.bank import Bank


def on_disk(bank: Bank, slug: str) -> bool:
    """Whether the slug belongs to a problem that was shipped."""
    problem = bank.get(slug)
    return problem is not None and problem.folder.parents[1].resolve() == bank.root()


def may_change(session: Session, slug: str, user: User) -> bool:
    """A published problem belongs to whoever published it first, and to admins."""
    return publisher(session, slug) in (None, user.id) or accounts.at_least(user.role, Role.ADMIN)


def publisher(session: Session, slug: str) -> int | None:
    """The account that published a problem first; None when nobody has."""
    return session.scalar(
        select(Publication.by).where(Publication.slug == slug).order_by(Publication.number).limit(1)
    )


def _tell(session: Session, row: Publication, user: User, owner: int | None) -> None:
    """Another's problem, or a version made of another's draft."""
    if owner is not None:
        notices.tell(
            session, owner, "published", notices.actor(user), problem=row.slug, number=row.number
        )


def trouble(session: Session, draft: Draft, bank: Bank, user: User) -> str:
    """Why this draft cannot be published under its name; empty when it can."""
    if on_disk(bank, draft.slug):
        return Message(
            "'%(slug)s' is a problem that was shipped with this site; copy the draft under"
            " another name.",
            code="slug_shipped",
            slug=draft.slug,
        )
    if not may_change(session, draft.slug, user):
        return Message(
            "'%(slug)s' was published by somebody else; copy the draft under another name.",
            code="slug_taken",
            slug=draft.slug,
        )
    return ""


def publish(
    session: Session,
    draft: Draft,
    bank: Bank,
    user: User,
    note: str,
    courses: Sequence[int] = (),
) -> Publication:
    """A new version; with `courses`, for the members of these only until it is opened.

    Raises `UsageError` when these very files were not found fit, or the name belongs to another.
    """
    why = trouble(session, draft, bank, user)
    if why:
        raise UsageError(why)
    if verification.fit_run(session, draft) is None:
        raise UsageError(
            Message(
                "Verify has not found these files fit to use; what it has not found fit cannot be"
                " published.",
                code="not_verified",
            )
        )
    problem = files.read(files.fetch(session, draft.files), draft.slug)
    current = published.latest(session).get(draft.slug)
    if current is not None and current.digest == problem.digest:
        raise UsageError(
            Message(
                "This is what version %(number)s already is; nothing has changed.",
                code="nothing_changed",
                number=str(current.number),
            )
        )
    owner = publisher(session, draft.slug) or draft.owner_id
    if courses:
        audiences.choose(session, draft.slug, courses, user)
    row = published.add_version(session, problem, draft.files, user.id, note)
    _tell(session, row, user, owner)
    audit(
        session,
        user.id,
        "publish",
        Message("%(slug)s version %(number)s", slug=row.slug, number=str(row.number)),
        note,
        digest=row.digest,
    )
    return row


def roll_back(session: Session, slug: str, number: int, user: User, reason: str) -> Publication:
    """An earlier version becomes the latest, under a new number. Raises `UsageError`."""
    if not may_change(session, slug, user):
        raise UsageError(Message("'%(slug)s' was published by somebody else.", slug=slug))
    earlier = session.scalar(
        select(Publication).where(Publication.slug == slug, Publication.number == number)
    )
    if earlier is None:
        raise UsageError(
            Message("'%(slug)s' has no version %(number)s.", slug=slug, number=str(number))
        )
    if published.latest(session)[slug].digest == earlier.digest:
        raise UsageError(Message("Version %(number)s is what is in use.", number=str(number)))
    problem = files.read(files.fetch(session, earlier.files), slug)
    row = published.add_version(session, problem, earlier.files, user.id, reason, restores=number)
    _tell(session, row, user, publisher(session, slug))
    audit(
        session,
        user.id,
        "roll back",
        Message("%(slug)s to version %(number)s", slug=slug, number=str(number)),
        reason,
        number=row.number,
    )
    return row
