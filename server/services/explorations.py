"""Explorations: sample runs that look into one case, and what a teacher leaves of them.

A trace shows every step of a submission, a search the smallest input that shows a failure, and a
try what a submission makes of inputs that its learner wrote. A curve is what it takes over the
length of its inputs. All are told of public inputs only.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from grader.errors import SubmissionError
from grader.problem import Problem
from server.lengths import fault
from server.messages import Message
from server.models.base import now
from server.models.courses import Feedback
from server.models.submissions import ProblemVersion, Submission
from server.services import feedback
from server.services.courses.terms import given
from server.services.statistics import may_read_solution

LONGEST_NAME = 200  # of a case
LONGEST_INPUTS = 16 << 10  # characters
LOOKED_AT = 8  # of a learner's last runs of a source


class Exploration(StrEnum):
    """What is looked into."""

    TRACE = "trace"
    SHRINK = "shrink"
    TRY = "try"
    CURVE = "curve"  # time and memory over the length of the inputs


def read(kind: str, case: str = "", inputs: str = "") -> dict[str, str]:
    """Returns what a row stores of an exploration. Raises `SubmissionError`."""
    if kind not in list(Exploration):
        raise SubmissionError(
            Message(
                "'%(kind)s' is not an exploration; choose from: %(known)s.",
                code="unknown_exploration",
                kind=kind[:40],
                known=", ".join(Exploration),
            )
        )
    why = fault(Message("Case"), case, LONGEST_NAME)
    if why is None and kind == Exploration.TRY:
        why = fault(Message("Inputs"), inputs, LONGEST_INPUTS)
    if why is not None:
        raise SubmissionError(why)
    if kind != Exploration.TRY:
        return {"kind": kind, "case": case}
    if not inputs.strip():
        raise SubmissionError(
            Message("There are no inputs; give each argument a value.", code="inputs_empty")
        )
    return {"kind": kind, "inputs": inputs.replace("\r\n", "\n")}


def check(session: Session, user_id: int, problem: Problem, wanted: Mapping[str, Any]) -> None:
    """Checks that the learner's assignments allow an exploration. Raises `SubmissionError`.

    Where a teacher shows less than the whole verdict, only samples are looked into.
    """
    if wanted["kind"] == Exploration.CURVE:
        if not may_read_solution(session, user_id, problem.slug):
            raise SubmissionError(
                Message(
                    "Time and memory are measured once your program is accepted.",
                    code="not_accepted_yet",
                )
            )
    elif wanted["kind"] == Exploration.TRY:
        if not own_inputs(session, user_id, problem.slug):
            raise SubmissionError(
                Message(
                    "Your teacher has switched inputs of your own off for this assignment.",
                    code="own_inputs_off",
                )
            )
    elif wanted.get("case") not in _samples(session, problem) and not whole(
        session, user_id, problem.slug
    ):
        raise SubmissionError(
            Message(
                "Your teacher shows no details of this assignment's cases.", code="details_hidden"
            )
        )


def own_inputs(session: Session, user_id: int, slug: str) -> bool:
    """Checks whether a learner may try inputs of their own in a problem."""
    moment = now()
    assignments = given(session, user_id, slug)
    return all(each.own_inputs or own.due_at <= moment for each, own in assignments)


def whole(session: Session, user_id: int, slug: str) -> bool:
    """Checks whether no open assignment keeps details of the verdict from a learner."""
    kept = feedback.levels(session, user_id, [slug]).get(slug, [])
    return all(level is Feedback.FULL for _, level in kept)


def last_trace(session: Session, row: Submission) -> Mapping[str, Any] | None:
    """Returns the result of the last trace of a submission's source by its own learner."""
    return _last(session, row, Exploration.TRACE)


def last_curve(session: Session, row: Submission) -> Mapping[str, Any] | None:
    """Returns the last measurement of a submission's source by its own learner."""
    return _last(session, row, Exploration.CURVE)


def _last(session: Session, row: Submission, kind: Exploration) -> Mapping[str, Any] | None:
    runs = session.execute(
        select(Submission.exploration, Submission.shown)
        .where(
            Submission.user_id == row.user_id,
            Submission.problem == row.problem,
            Submission.samples_only,
            Submission.source == row.source,
        )
        .order_by(Submission.id.desc())
        .limit(LOOKED_AT)
    )
    kinds = (shown for wanted, shown in runs if (wanted or {}).get("kind") == kind)
    return next((shown["result"] for shown in kinds if (shown or {}).get("result")), None)


def _samples(session: Session, problem: Problem) -> list[str]:
    version = session.get(ProblemVersion, (problem.slug, problem.digest))
    return [str(case["name"]) for case in (version.samples if version else None) or []]
