"""What a learner of a class reads of a verdict.

Everything that shows a learner a submission of their own passes through `see`.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Subquery, bindparam, exists, func, or_, select
from sqlalchemy.orm import Session, make_transient

from server.messages import Message, counted
from server.models.base import Utc, now
from server.models.courses import Assignment, AssignmentProblem, Course, Feedback, Member
from server.models.submissions import State, Submission
from server.models.teaching import Revision
from server.services.deadlines import not_due

STRICTNESS = (Feedback.FULL, Feedback.DIAGNOSIS, Feedback.VERDICT, Feedback.AFTER_DUE)
VERDICT_ONLY = Message("Your teacher shows the verdict only.")


def _given_to_learner(slug: Any, user_id: Any, moment: Any) -> list[ColumnElement[bool]]:
    """Open assignments that give a learner a problem."""
    return [
        AssignmentProblem.assignment_id == Assignment.id,
        Assignment.course_id == Course.id,
        Member.course_id == Course.id,
        Member.teaches.is_(False),
        Course.archived.is_(False),
        Assignment.opens_at <= moment,
        AssignmentProblem.slug == slug,
        Member.user_id == user_id,
    ]


def withheld() -> ColumnElement[bool]:
    """Of a row of submissions: its result is not shown to its learner yet.

    The moment is that of each execution.
    """
    moment = bindparam(None, callable_=now, type_=Utc())
    given = _given_to_learner(Submission.problem, Submission.user_id, moment)
    hidden = (
        Assignment.feedback == Feedback.AFTER_DUE,
        not_due(Submission.user_id, moment),
        Submission.submitted_at >= Assignment.opens_at,
    )
    return exists(select(AssignmentProblem.slug).where(*given, *hidden).correlate(Submission))


def withheld_pairs() -> Subquery:
    """(user_id, problem, since): learners and problems of which results are withheld, and from when
    on.
    """
    moment = bindparam(None, callable_=now, type_=Utc())
    given = _given_to_learner(AssignmentProblem.slug, Member.user_id, moment)
    hidden = (Assignment.feedback == Feedback.AFTER_DUE, not_due(Member.user_id, moment))
    columns = (
        Member.user_id.label("user_id"),
        AssignmentProblem.slug.label("problem"),
        func.min(Assignment.opens_at).label("since"),
    )
    return (
        select(*columns)
        .where(*given, *hidden)
        .group_by(Member.user_id, AssignmentProblem.slug)
        .subquery()
    )


_LEVELS = (  # built once: that costs more than running it
    select(AssignmentProblem.slug, Assignment.opens_at, Assignment.feedback)
    .where(
        *_given_to_learner(
            AssignmentProblem.slug, bindparam("user_id"), bindparam("moment", type_=Utc())
        )
    )
    .where(
        AssignmentProblem.slug.in_(bindparam("slugs", expanding=True)),
        Assignment.feedback != Feedback.FULL,
        or_(
            Assignment.feedback != Feedback.AFTER_DUE,
            not_due(bindparam("user_id"), bindparam("moment", type_=Utc())),
        ),
    )
)


def levels(
    session: Session, user_id: int, slugs: Sequence[str]
) -> dict[str, list[tuple[datetime, Feedback]]]:
    """By slug: (from when, level) of each open assignment that says less than everything."""
    moment = now()
    by_slug: dict[str, list[tuple[datetime, Feedback]]] = {}
    for slug, opens, name in session.execute(
        _LEVELS, {"user_id": user_id, "slugs": list(slugs), "moment": moment}
    ):
        by_slug.setdefault(slug, []).append((opens, Feedback(name)))
    return by_slug


def see(session: Session, rows: Sequence[Submission], user_id: int) -> list[Submission]:
    """The submissions as their learner may read them; those that are not shown whole are copies out
    of the session.
    """
    known = levels(session, user_id, sorted({row.problem for row in rows})) if rows else {}
    return [_masked(session, row, known.get(row.problem, [])) for row in rows]


def _masked(
    session: Session, row: Submission, limits: list[tuple[datetime, Feedback]]
) -> Submission:
    level = max(
        (lesser for opens, lesser in limits if row.submitted_at >= opens),
        key=STRICTNESS.index,
        default=Feedback.FULL,
    )
    cancelled = row.cancelled and row.state == State.DONE  # there is no result to hide
    if level is Feedback.FULL or row.samples_only or row.user_id is None or cancelled:
        return row
    session.expunge(row)
    make_transient(row)
    row.progress = (
        [_without_words(c) for c in row.progress or []] if level is Feedback.DIAGNOSIS else []
    )
    row.shown = (
        {"notes": (row.shown or {}).get("notes", {}), "samples": []}
        if level is Feedback.DIAGNOSIS
        else {}
    )
    if level is Feedback.AFTER_DUE:
        row.outcome = row.score = row.max_score = row.verdict = row.cpu_ms = None
    elif row.verdict is not None:
        row.verdict = _less(row.verdict, level)
    return row


def _less(verdict: dict[str, Any], level: Feedback) -> dict[str, Any]:
    if level is Feedback.VERDICT:
        hidden: dict[str, Any] = {"cases": [], "diagnosis": None, "diagnoses": [], "remarks": []}
        return {**verdict, **hidden, "message": VERDICT_ONLY}
    passed = sum(c["verdict"] == "accepted" for c in verdict["cases"])
    return {
        **verdict,
        "cases": [_without_words(c) for c in verdict["cases"]],
        "message": counted(
            "%(passed)s of %(num)s case passed",
            "%(passed)s of %(num)s cases passed",
            len(verdict["cases"]),
            passed=passed,
        ),
    }


def _without_words(case: dict[str, Any]) -> dict[str, Any]:
    return {**case, "message": "", "findings": []}


def revisions(session: Session, submission_id: int) -> Sequence[Revision]:
    """Returns what a verdict was before, the latest first."""
    return session.scalars(
        select(Revision).where(Revision.submission_id == submission_id).order_by(Revision.id.desc())
    ).all()
