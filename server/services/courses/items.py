"""What an assignment can give besides problems: lessons to read, their questions, and steps of the
practice of a problem.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from grader.errors import UsageError
from grader.lessons import Lesson
from grader.practice import Step
from grader.problem import Problem
from server.messages import Message
from server.models.base import now
from server.models.courses import Assignment, AssignmentItem, Course, ItemKind, Member
from server.models.practice import PracticeSet
from server.services.courses.assignments import read_points
from server.services.deadlines import of_assignments
from server.services.reviews import completions

MOST_ITEMS = 100
POINTS: Mapping[str, float] = {  # of what nobody chose points for; whoever reads says so themselves
    ItemKind.LESSON: 0.0,
    ItemKind.QUESTIONS: 1.0,
    ItemKind.PRACTICE: 1.0,
}


def offered(lessons: Iterable[Lesson], problems: Iterable[Problem]) -> Iterator[AssignmentItem]:
    """Yields everything that can be assigned, in teaching order, with its usual points."""
    for lesson in lessons:
        yield make(ItemKind.LESSON, lesson.slug)
        if lesson.questions:
            yield make(ItemKind.QUESTIONS, lesson.slug)
    for problem in problems:
        yield from (make(ItemKind.PRACTICE, problem.slug, step) for step in Step)


def make(kind: ItemKind, slug: str, step: str = "", points: float | None = None) -> AssignmentItem:
    """Returns an item without a place yet, with the usual points of its kind."""
    worth = POINTS[kind] if points is None else points
    return AssignmentItem(kind=str(kind), slug=slug, step=str(step), points=worth)


def points_field(item: AssignmentItem) -> str:
    """Returns the name of the form's field for the points: the steps of a problem share one."""
    return f"points-{item.kind}-{item.slug}"


def read_items(
    form: Mapping[str, str], keys: Collection[str], known: Iterable[AssignmentItem]
) -> list[AssignmentItem]:
    """Returns the items of a form, of which `keys` are chosen, in teaching order.

    Raises `UsageError` for one that cannot be assigned, and for points that are none.
    """
    chosen = [item for item in known if item.key in keys]
    if len(chosen) != len(set(keys)) or len(chosen) > MOST_ITEMS:
        raise UsageError(
            Message(
                "Choose at most %(most)s lessons and steps of practice, of the lists.",
                most=MOST_ITEMS,
            )
        )
    return placed(chosen, form)


def placed(chosen: list[AssignmentItem], form: Mapping[str, str]) -> list[AssignmentItem]:
    """Gives items their places, and the points that a form has for them. Raises `UsageError`."""
    for position, item in enumerate(chosen):
        item.position = position
        item.points = read_points(form.get(points_field(item), ""), item.points)
    return chosen


def refuse_empty(
    session: Session, chosen: Iterable[AssignmentItem], bank: Iterable[Problem]
) -> None:
    """Raises `UsageError` for a step of practice in which the problem is known to have nothing."""
    digests = {problem.slug: problem.digest for problem in bank}
    for item in chosen:
        if item.kind != ItemKind.PRACTICE or parts_of(session, item, digests[item.slug]) != 0:
            continue
        raise UsageError(
            Message(
                "The practice of '%(problem)s' has nothing at the step '%(step)s'. Choose another"
                " step.",
                problem=item.slug,
                step=item.step,
            )
        )


def parts_of(session: Session, item: AssignmentItem, digest: str) -> int | None:
    """Returns how many items a step of a version has, in the framework that has most; None while
    they are not made.
    """
    names = _names(session, item, digest)
    return max(map(len, names.values())) if names else None


def _names(session: Session, item: AssignmentItem, digest: str) -> Mapping[str, list[str]]:
    """The names of the items of a step by framework, as far as they are made."""
    query = select(PracticeSet).where(
        PracticeSet.slug == item.slug, PracticeSet.digest == digest, PracticeSet.items.is_not(None)
    )
    return {
        row.framework: [each["id"] for each in row.items or () if each["step"] == item.step]
        for row in session.scalars(query)
    }


def catch_up(
    session: Session,
    assignment: Assignment,
    questions: Mapping[str, Collection[str]],
    digests: Mapping[str, str],
) -> None:
    """Records what learners of the course had completed before that was recorded.

    `questions` has the names of each lesson's, `digests` the version of each problem.
    """
    query = select(Member.user_id).where(Member.course_id == assignment.course_id)
    people = session.scalars(query.where(Member.teaches.is_(False))).all()
    for item in assignment.items:
        if item.kind == ItemKind.QUESTIONS:
            completions.note_questions(session, people, item.slug, questions.get(item.slug, ()))
        if item.kind == ItemKind.PRACTICE and item.slug in digests:
            digest = digests[item.slug]
            for framework, names in _names(session, item, digest).items():
                completions.note_practice(
                    session, people, item.slug, framework, digest, item.step, names
                )


def opened_steps(session: Session, user_id: int, slug: str) -> set[tuple[int, str]]:
    """Returns the steps of a problem's practice that open assignments give a learner, each with its
    course. One with a time limit opens them when it is started.
    """
    query = (
        select(Assignment, AssignmentItem.step)
        .join(AssignmentItem, AssignmentItem.assignment_id == Assignment.id)
        .join(Course, Course.id == Assignment.course_id)
        .join(Member, Member.course_id == Course.id)
        .where(Member.user_id == user_id, Member.teaches.is_(False), Course.archived.is_(False))
        .where(AssignmentItem.kind == ItemKind.PRACTICE, AssignmentItem.slug == slug)
        .where(Assignment.opens_at <= now())
    )
    rows = session.execute(query).all()
    own = {a.id: own for a, own in of_assignments(session, user_id, [row[0] for row in rows])}
    return {(a.course_id, step) for a, step in rows if not own[a.id].to_start}
