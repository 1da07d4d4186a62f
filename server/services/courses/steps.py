"""At which step of each problem the learners of a class are: practice, then the program.

The steps follow each other: predict, arrange, fill, find the bug, beat the mistakes, write the
program. Somebody is at
the last step that they have tried; who is accepted is past them all. Only counts leave this file.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from grader.practice import Step
from server.models.courses import Assignment, Course, ItemKind, Member
from server.models.practice import PracticeAnswer
from server.models.submissions import Tries
from server.services.courses import roster

NOT_BEGUN, PROGRAM, ACCEPTED = "not_begun", "program", "accepted"
STEPS = (NOT_BEGUN, *map(str, Step), PROGRAM, ACCEPTED)
Pair = tuple[int, str]  # a learner and a problem


@dataclass(frozen=True, slots=True)
class Line:
    """A problem, and how many learners are at each of `STEPS`."""

    slug: str
    counts: tuple[int, ...]

    @property
    def stuck(self) -> str:
        """The step between beginning and being accepted at which most are; empty for none."""
        between = dict(zip(STEPS, self.counts, strict=True))
        del between[NOT_BEGUN], between[ACCEPTED]
        most = max(between, key=lambda step: between[step])
        return most if between[most] else ""


def lines(session: Session, course: Course, group: str = "") -> list[Line]:
    """Returns a line for each problem of the course's assignments, given itself or by a step of
    its practice, in their order; of one group of the roster if it is named.
    """
    slugs = list(dict.fromkeys(slug for a in course.assignments for slug in _problems(a)))
    query = select(Member.user_id).where(Member.course_id == course.id, Member.teaches.is_(False))
    query = query.where(Member.user_id.in_(roster.of_group(course.id, group))) if group else query
    people = session.scalars(query).all()
    if not slugs or not people:
        return []
    reached = _practised(session, people, slugs) | _written(session, people, slugs)
    return [
        _line(slug, [reached.get((person, slug), NOT_BEGUN) for person in people]) for slug in slugs
    ]


def _problems(assignment: Assignment) -> list[str]:
    practised = [item.slug for item in assignment.items if item.kind == ItemKind.PRACTICE]
    return [*practised, *(problem.slug for problem in assignment.problems)]


def _line(slug: str, reached: Sequence[str]) -> Line:
    counts = Counter(reached)
    return Line(slug, tuple(counts[step] for step in STEPS))


def _practised(session: Session, people: Sequence[int], slugs: Sequence[str]) -> dict[Pair, str]:
    """The last step of practice that each has answered."""
    query = select(PracticeAnswer.user_id, PracticeAnswer.problem, PracticeAnswer.item).where(
        PracticeAnswer.user_id.in_(people), PracticeAnswer.problem.in_(slugs)
    )
    last: dict[Pair, str] = {}
    for user, slug, item in session.execute(query):
        step = item.rpartition("-")[0]
        if STEPS.index(step) > STEPS.index(last.get((user, slug), NOT_BEGUN)):
            last[user, slug] = step
    return last


def _written(session: Session, people: Sequence[int], slugs: Sequence[str]) -> dict[Pair, str]:
    """Who has sent a program, and whose was accepted."""
    query = select(Tries.user_id, Tries.problem, Tries.solved_at).where(
        Tries.user_id.in_(people), Tries.problem.in_(slugs), Tries.judged > 0
    )
    return {
        (user, slug): PROGRAM if solved_at is None else ACCEPTED
        for user, slug, solved_at in session.execute(query)
    }
