"""What others did with somebody's account or work, told to that person on every page until they
dismiss it.

A notice is a kind and its parameters; the sentence is made when it is shown, in the reader's
language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from server.messages import Message, storable, stored, with_values
from server.models.accounts import User
from server.models.base import now
from server.models.notices import Notice
from server.services import accounts

SHOWN, LISTED = 5, 50

# Who did it, by the role that they had.
ACTORS = {
    "learner": Message("A learner, %(name)s,"),
    "instructor": Message("An instructor, %(name)s,"),
    "admin": Message("An admin, %(name)s,"),
    "platform": Message("The learning platform %(name)s"),
    "operator": Message("The operator of this site"),
}
SENTENCES = {
    "reset_link": Message(
        "%(actor)s made a reset link for your account on %(at)s; it has not been used."
    ),
    "reset_used": Message(
        "%(actor)s made a reset link for your account on %(at)s; it was used on %(used)s."
    ),
    "role": Message(
        "%(actor)s changed your role on %(at)s: it was %(was)s and is %(role)s. %(reason)s"
    ),
    "closed": Message("%(actor)s closed your account on %(at)s: %(reason)s"),
    "reopened": Message("%(actor)s opened your account again on %(at)s: %(reason)s"),
    "teacher": Message("%(actor)s made you a teacher of the course '%(course)s' on %(at)s."),
    "learner": Message("%(actor)s made you a learner of the course '%(course)s' on %(at)s."),
    "removed": Message("%(actor)s removed you from the course '%(course)s' on %(at)s."),
    "archived": Message("%(actor)s archived the course '%(course)s' on %(at)s."),
    "score": Message(
        "%(actor)s set your score for %(problem)s in '%(assignment)s' to %(score)s on %(at)s:"
        " %(reason)s"
    ),
    "score_back": Message(
        "%(actor)s took back the score set by hand for %(problem)s in '%(assignment)s' on %(at)s:"
        " %(reason)s"
    ),
    "extension": Message(
        "%(actor)s gave you until %(due)s for '%(assignment)s' on %(at)s: %(reason)s"
    ),
    "extension_back": Message(
        "%(actor)s took back your extension for '%(assignment)s' on %(at)s: %(reason)s"
    ),
    "revised": Message(
        "%(actor)s had submissions to %(problem)s judged again; %(count)s of your verdicts changed"
        " on %(at)s: %(reason)s"
    ),
    "attempt_given_back": Message(
        "%(actor)s gave the attempt of submission %(number)s to %(problem)s back to you on %(at)s."
    ),
    "comment": Message("%(actor)s commented on submission %(number)s to %(problem)s on %(at)s."),
    "judged_again": Message(
        "%(actor)s had submission %(number)s to %(problem)s judged again on %(at)s."
    ),
    "draft_saved": Message("%(actor)s changed %(path)s in your draft %(problem)s on %(at)s."),
    "draft_file_removed": Message(
        "%(actor)s removed %(path)s from your draft %(problem)s on %(at)s."
    ),
    "draft_deleted": Message("%(actor)s deleted your draft %(problem)s on %(at)s."),
    "not_published": Message(
        "Your draft %(problem)s was to be published on %(at)s, but was not: %(reason)s"
    ),
    "published": Message(
        "%(actor)s published version %(number)s of your problem %(problem)s on %(at)s."
    ),
}


OF_DRAFTS = frozenset(  # here `problem` is the name of a draft
    {"draft_saved", "draft_file_removed", "draft_deleted", "not_published"}
)
OF_SUBMISSIONS = frozenset({"comment", "attempt_given_back", "judged_again"})
FAILURES = frozenset({"not_published"})


@dataclass(frozen=True, slots=True)
class Actor:
    """Who did it: a role of `ACTORS` and a name, as they were then."""

    role: str
    name: str = ""
    user_id: int | None = None


OPERATOR = Actor("operator")


def actor(user: User | None) -> Actor:
    """An account; None stands for the command line."""
    return OPERATOR if user is None else Actor(user.role, user.name, user.id)


def tell(
    session: Session, user_id: int, kind: str, by: Actor, reset_id: int | None = None, **detail: Any
) -> None:
    """Adds a notice, in the transaction of the deed itself.

    Nobody is told of what they did themselves.
    """
    if by.user_id == user_id:
        return
    parameters = {name: storable(value) for name, value in detail.items()}
    values = {"role": by.role, "name": by.name, "parameters": parameters}
    session.add(Notice(user_id=user_id, kind=kind, detail=values, reset_id=reset_id))


def tell_used(session: Session, reset_id: int) -> None:
    """The link of a notice was used: it says so from now on, also to whoever had dismissed it
    before.
    """
    notice = session.scalar(select(Notice).where(Notice.reset_id == reset_id))
    if notice is not None:
        parameters = {**notice.detail["parameters"], "used": _moment(now())}
        notice.kind, notice.dismissed_at = "reset_used", None
        notice.detail = {**notice.detail, "parameters": parameters}


def undismissed(session: Session, user_id: int) -> Sequence[Notice]:
    """The latest first, at most `SHOWN` of them."""
    query = select(Notice).where(Notice.user_id == user_id, Notice.dismissed_at.is_(None))
    return session.scalars(query.order_by(Notice.id.desc()).limit(SHOWN)).all()


def latest(session: Session, user_id: int) -> Sequence[Notice]:
    """Dismissed or not, the latest first: whoever else had the account could not hide anything."""
    query = select(Notice).where(Notice.user_id == user_id).order_by(Notice.id.desc())
    return session.scalars(query.limit(LISTED)).all()


def sentence(notice: Notice, shown: Mapping[str, object] | None = None) -> Message:
    """What a notice says. `shown` has what a page shows in place of some parameters, such as a
    title for a slug.
    """
    detail = notice.detail
    values: dict[str, object] = {
        name: stored(value) for name, value in detail["parameters"].items()
    }
    values |= {
        name: accounts.ROLES[str(values[name])] for name in ("was", "role") if name in values
    }
    if "number" in values:  # of a version or a submission: no quantity
        values["number"] = str(values["number"])
    values |= shown or {}
    by = with_values(ACTORS[detail["role"]], {"name": detail["name"]})
    return with_values(SENTENCES[notice.kind], {**values, "actor": by, "at": _moment(notice.at)})


def _moment(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"
