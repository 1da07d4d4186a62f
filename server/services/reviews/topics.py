"""What a learner has shown of each topic: done by hand, written, explained.

By hand are predictions of a result, problems that are solved on paper, and questions that ask for a
number. Written is what was accepted. Explained are the other questions of lessons.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from grader.lessons import Lesson, Question, QuestionKind
from grader.model import Kind
from grader.practice import Step
from grader.problem import Problem
from server.models.practice import PracticeAnswer


@dataclass(frozen=True, slots=True)
class Part:
    """How many of some things are shown."""

    shown: int
    total: int

    @property
    def state(self) -> str:
        """solved, tried or ready."""
        return "solved" if self.shown == self.total else "tried" if self.shown else "ready"


@dataclass(frozen=True, slots=True)
class Topic:
    """A track, and what is shown of it; a part without anything to show has a total of 0."""

    track: str
    by_hand: Part
    written: Part
    explained: Part


def predicted(session: Session, user_id: int) -> set[str]:
    """Returns the problems of which a learner has predicted a result."""
    query = select(PracticeAnswer.problem).where(
        PracticeAnswer.user_id == user_id,
        PracticeAnswer.solved_at.is_not(None),
        PracticeAnswer.item.startswith(f"{Step.PREDICT}-"),
    )
    return set(session.scalars(query))


def topics(
    problems: Sequence[Problem],
    lessons: Iterable[Lesson],
    solved: set[str],
    predicted: set[str],
    right: Mapping[str, set[str]],
) -> list[Topic]:
    """Returns the tracks of problems that are in teaching order. `right` is by lesson."""
    questions = _questions(problems, lessons)
    return [
        _topic(
            track,
            [p for p in problems if p.track == track],
            questions[track],
            solved,
            predicted,
            right,
        )
        for track in dict.fromkeys(p.track for p in problems)
    ]


def _questions(
    problems: Sequence[Problem], lessons: Iterable[Lesson]
) -> dict[str, list[tuple[str, Question]]]:
    """The questions of each track: a lesson belongs to that of the first problem it leads to."""
    tracks = {p.slug: p.track for p in problems}
    questions: dict[str, list[tuple[str, Question]]] = {p.track: [] for p in problems}
    for lesson in lessons:
        track = next((tracks[slug] for slug in lesson.problems if slug in tracks), None)
        if track is not None:
            questions[track] += [(lesson.slug, question) for question in lesson.questions]
    return questions


def _topic(
    track: str,
    problems: Sequence[Problem],
    questions: Sequence[tuple[str, Question]],
    solved: set[str],
    predicted: set[str],
    right: Mapping[str, set[str]],
) -> Topic:
    numbers = [pair for pair in questions if pair[1].kind is QuestionKind.NUMBER]
    others = [pair for pair in questions if pair[1].kind is not QuestionKind.NUMBER]
    on_paper = [p for p in problems if p.kind is Kind.VALUES]
    programs = [p for p in problems if p.kind is not Kind.VALUES]
    by_hand = sum(p.slug in solved for p in on_paper) + sum(p.slug in predicted for p in programs)
    return Topic(
        track,
        Part(by_hand + _right(numbers, right), len(problems) + len(numbers)),
        Part(sum(p.slug in solved for p in programs), len(programs)),
        Part(_right(others, right), len(others)),
    )


def _right(questions: Sequence[tuple[str, Question]], right: Mapping[str, set[str]]) -> int:
    return sum(question.name in right.get(lesson, ()) for lesson, question in questions)
