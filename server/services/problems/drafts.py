"""Drafts of problems: makes them, changes their files, and logs what admins do with others'."""

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from grader.errors import UsageError
from server.messages import Message
from server.models.accounts import User
from server.models.base import now
from server.models.submissions import State
from server.models.teaching import Draft, VerifyRun
from server.services import notices
from server.services.audit import note
from server.services.problems import files

MOST_DRAFTS = 50
GONE = "gone"  # stands for the content of a file that is there no longer


class ChangedElsewhereError(UsageError):
    """A file has been saved from another window since it was read."""


def put(session: Session, slug: str, content: files.Files, user_id: int) -> Draft:
    """Writes the files as the user's draft of that slug, new or not. Raises `UsageError`."""
    draft = own(session, slug, user_id)
    if draft is None:
        count = select(func.count()).select_from(Draft).where(Draft.owner_id == user_id)
        if (session.scalar(count) or 0) >= MOST_DRAFTS:
            raise UsageError(
                Message(
                    "You have %(most)s drafts; delete one first.",
                    code="too_many_drafts",
                    most=MOST_DRAFTS,
                )
            )
        draft = Draft(slug=slug, owner_id=user_id, files={})
        session.add(draft)
    draft.files, draft.changed_at = files.keep(session, files.check_all(content)), now()
    session.flush()
    return draft


def own(session: Session, slug: str, user_id: int) -> Draft | None:
    """Returns the user's draft of that slug."""
    return session.scalar(select(Draft).where(Draft.owner_id == user_id, Draft.slug == slug))


def lost(draft: Draft | None, tree: files.Tree) -> dict[str, str]:
    """Returns the files of a draft, path to hash, that another tree does not have as they are."""
    kept = draft.files if draft is not None else {}
    return {path: sha for path, sha in kept.items() if tree.get(path) != sha}


def save_file(
    session: Session, draft: Draft, path: str, content: bytes, known: tuple[str, str], by: User
) -> None:
    """Saves one file, unless something else was saved since its editor was opened.

    `known` has the hashes of what the editor was opened with and of what was shown as the other
    version since; `GONE` for a file that is there no longer. Raises `UsageError`.
    """
    stands = draft.files.get(path, "")
    opened, shown = known
    if stands not in (opened, files.sha(content)) and shown != (stands or GONE):
        raise ChangedElsewhereError(
            Message(
                "%(path)s was changed elsewhere since this page was loaded. Yours is not"
                " saved; both are shown below.",
                path=path,
            )
        )
    files.check_all({**files.fetch(session, draft.files), path: content})
    draft.files = {**draft.files, **files.keep(session, {path: content})}
    draft.changed_at = now()
    note_change(session, draft, "draft_saved", by, path)


def remove_file(session: Session, draft: Draft, path: str, by: User) -> None:
    """Takes a file out of the draft."""
    draft.files = {name: sha for name, sha in draft.files.items() if name != path}
    draft.changed_at = now()
    note_change(session, draft, "draft_file_removed", by, path)


def discard(session: Session, draft: Draft, by: User) -> None:
    """Deletes a draft and its queued verifications; what was published from it stays."""
    note_change(session, draft, "draft_deleted", by)
    queued = (VerifyRun.draft_id == draft.id, VerifyRun.state == State.QUEUED)
    session.execute(delete(VerifyRun).where(*queued))
    session.delete(draft)


def note_change(session: Session, draft: Draft, kind: str, by: User, path: str = "") -> None:
    """Logs what an admin does with somebody else's draft, and tells its owner.

    The path is that of a file in it.
    """
    if draft.owner_id == by.id:
        return
    subject = Message("%(slug)s of %(name)s", slug=draft.slug, name=draft.owner.name)
    note(session, by.id, "draft", subject, number=draft.id, what=kind, file=path)
    by_actor = notices.actor(by)
    notices.tell(session, draft.owner_id, kind, by_actor, problem=draft.slug, path=path)
