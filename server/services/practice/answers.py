"""What learners answered to practice items: the last answer to each, and whether it is solved."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from grader.model import Framework
from grader.problem import Problem
from server.models.database import clock
from server.models.practice import PracticeAnswer
from server.services.practice import sets
from server.services.reviews import completions, schedule
from server.services.reviews.schedule import Asked, Kind

_MATRIX = ("kills", "found")  # what is kept of a result, to be shown again
KIND = "practice"  # of the exploration that judges an answer


def of(
    session: Session, user_id: int, problem: Problem, framework: Framework
) -> Mapping[str, PracticeAnswer]:
    """Returns a learner's answers to the items of this version, by item."""
    query = select(PracticeAnswer).where(
        PracticeAnswer.user_id == user_id,
        PracticeAnswer.problem == problem.slug,
        PracticeAnswer.framework == str(framework),
        PracticeAnswer.digest == problem.digest,
    )
    return {row.item: row for row in session.scalars(query)}


def is_practice(exploration: Mapping[str, Any] | None) -> bool:
    """Checks whether what a row of submissions looks into is an answer to an item."""
    return (exploration or {}).get("kind") == KIND


def note(
    session: Session,
    user_id: int,
    problem: str,
    framework: Framework,
    exploration: Mapping[str, Any] | None,
    shown: Mapping[str, Any],
) -> None:
    """Records an answer that was judged, and plans when it is asked again; nothing for what is
    none.
    """
    result = shown.get("result")
    if not is_practice(exploration) or exploration is None or result is None:
        return
    key = (user_id, problem, str(framework), str(exploration["item"]))
    before = session.get(PracticeAnswer, key)
    moment = clock(session)
    same = before is not None and before.digest == result["digest"]
    row = PracticeAnswer(
        user_id=user_id,
        problem=problem,
        framework=str(framework),
        item=str(exploration["item"]),
        digest=str(result["digest"]),
        answer=list(exploration["answer"]),
        correct=bool(result["right"]),
        kills={part: result[part] for part in _MATRIX} if result.get("kills") else None,
        solved_at=before.solved_at if before is not None and same else None,
        at=moment,
    )
    if result["solved"] and row.solved_at is None:
        row.solved_at = moment
    session.merge(row)
    _complete(session, row)
    if result["solved"] or not result["right"]:  # a wrong line that is found is not mended yet
        reviewed = Asked(Kind.PRACTICE, problem, f"{framework} {row.item}")
        schedule.note(session, user_id, reviewed, bool(result["right"]))


def _complete(session: Session, row: PracticeAnswer) -> None:
    """Records that every item of the step is solved, if so."""
    made = sets.of_version(session, (row.problem, row.digest, row.framework))
    step = row.item.rpartition("-")[0]
    names = [item["id"] for item in made or () if item["step"] == step]
    key = (row.problem, row.framework, row.digest, step)
    completions.note_practice(session, [row.user_id], *key, names)
