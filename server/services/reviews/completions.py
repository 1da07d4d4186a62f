"""What learners have completed: a lesson is read, all its questions are right at once, every item
of a step of practice is solved.

The first time is recorded, and stays: a later wrong answer, another question of the lesson or
another version of the problem takes nothing back.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import select, tuple_
from sqlalchemy.orm import Session

from server.models.courses import AssignmentItem, ItemKind
from server.models.database import clock, insert_once
from server.models.lessons import Completion, QuestionAnswer
from server.models.practice import PracticeAnswer

Done = tuple[int, str]  # a learner, and the key of an item
Parts = Mapping[int, Mapping[str, datetime]]  # by learner: what is right, and since when


def read(session: Session, user_id: int, lesson: str) -> None:
    """Records that a learner has read a lesson."""
    _record(session, user_id, ItemKind.LESSON, lesson, "", clock(session))


def has_read(session: Session, user_id: int, lesson: str) -> datetime | None:
    """Returns when a learner had read a lesson."""
    row = session.get(Completion, (user_id, str(ItemKind.LESSON), lesson, ""))
    return row.at if row is not None else None


def note_questions(
    session: Session, users: Collection[int], lesson: str, names: Iterable[str]
) -> None:
    """Records for whom of these learners every question of a lesson is right now."""
    session.flush()
    _note(session, _right(session, users, [lesson]), ItemKind.QUESTIONS, lesson, "", names)


def note_practice(
    session: Session,
    users: Collection[int],
    problem: str,
    framework: str,
    digest: str,
    step: str,
    names: Iterable[str],
) -> None:
    """Records for whom of these learners every item of a step is solved, in one version."""
    session.flush()
    query = select(PracticeAnswer.user_id, PracticeAnswer.item, PracticeAnswer.solved_at).where(
        PracticeAnswer.user_id.in_(users),
        PracticeAnswer.problem == problem,
        PracticeAnswer.framework == framework,
        PracticeAnswer.digest == digest,
    )
    solved: dict[int, dict[str, datetime]] = {}
    for user, item, at in session.execute(query):
        if at is not None:
            solved.setdefault(user, {})[item] = at
    _note(session, solved, ItemKind.PRACTICE, problem, step, names)


def _right(
    session: Session, users: Collection[int], lessons: Sequence[str]
) -> dict[int, dict[str, datetime]]:
    query = select(QuestionAnswer.user_id, QuestionAnswer.question, QuestionAnswer.at).where(
        QuestionAnswer.user_id.in_(users),
        QuestionAnswer.lesson.in_(lessons),
        QuestionAnswer.correct,
    )
    answered: dict[int, dict[str, datetime]] = {}
    for user, question, at in session.execute(query):
        answered.setdefault(user, {})[question] = at
    return answered


def _note(
    session: Session, parts: Parts, kind: ItemKind, slug: str, step: str, names: Iterable[str]
) -> None:
    wanted = set(names)
    for user, right in parts.items():
        if wanted and wanted <= right.keys():
            _record(session, user, kind, slug, step, max(right[name] for name in wanted))


def _record(
    session: Session, user_id: int, kind: ItemKind, slug: str, step: str, at: datetime
) -> None:
    row = {"user_id": user_id, "kind": str(kind), "slug": slug, "step": step, "at": at}
    insert_once(session, Completion, row)


def done(
    session: Session, users: Collection[int], items: Sequence[AssignmentItem]
) -> Mapping[Done, datetime]:
    """Returns when each learner had completed each of these items."""
    keys = {(item.kind, item.slug, item.step): item.key for item in items}
    if not keys:
        return {}
    names = (Completion.kind, Completion.slug, Completion.step)
    query = select(Completion).where(Completion.user_id.in_(users), tuple_(*names).in_(list(keys)))
    return {
        (row.user_id, keys[row.kind, row.slug, row.step]): row.at for row in session.scalars(query)
    }


def begun(
    session: Session, users: Collection[int], items: Sequence[AssignmentItem]
) -> Mapping[Done, int]:
    """Returns how many parts of each item each learner has right: questions, or items of a step in
    the framework in which most are solved.
    """
    return {**_questions_begun(session, users, items), **_practice_begun(session, users, items)}


def _questions_begun(
    session: Session, users: Collection[int], items: Sequence[AssignmentItem]
) -> dict[Done, int]:
    counts: dict[Done, int] = {}
    for item in items:
        if item.kind == ItemKind.QUESTIONS:
            for user, right in _right(session, users, [item.slug]).items():
                counts[user, item.key] = len(right)
    return counts


def _practice_begun(
    session: Session, users: Collection[int], items: Sequence[AssignmentItem]
) -> dict[Done, int]:
    keys = {(i.slug, i.step): i.key for i in items if i.kind == ItemKind.PRACTICE}
    if not keys:
        return {}
    query = select(
        PracticeAnswer.user_id,
        PracticeAnswer.problem,
        PracticeAnswer.item,
        PracticeAnswer.framework,
    ).where(
        PracticeAnswer.user_id.in_(users),
        PracticeAnswer.problem.in_({slug for slug, _ in keys}),
        PracticeAnswer.solved_at.is_not(None),
    )
    counts: dict[tuple[Done, str], int] = {}
    for user, slug, name, framework in session.execute(query):
        key = keys.get((slug, name.rpartition("-")[0]))
        if key is not None:
            place = ((user, key), framework)
            counts[place] = counts.get(place, 0) + 1
    most: dict[Done, int] = {}
    for (done_key, _), count in counts.items():
        most[done_key] = max(count, most.get(done_key, 0))
    return most
