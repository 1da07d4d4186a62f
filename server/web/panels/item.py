"""What pages show of the lessons and the steps of practice of assignments."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from flask import url_for

from grader.lessons import Lesson
from grader.practice import Step
from grader.problem import Problem
from server.models.courses import Assignment, AssignmentItem, ItemKind
from server.services.courses import items
from server.web.context import reading, service
from server.web.panels.practice import SHORT
from server.web.texts import translate
from server.web.titles import lesson_title, problem_title, titled


@dataclass(frozen=True, slots=True)
class Named:
    """An item in the reader's language; without an address where the bank has it no more."""

    title: str
    address: str = ""
    # its questions, or its items of practice; None while these are not made
    total: int | None = 1


@dataclass(frozen=True, slots=True)
class Choice:
    """A field of the form of an assignment."""

    key: str
    name: str
    points: str  # the name of the field of its points
    worth: float
    chosen: bool


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A lesson, or a problem with the steps of its practice, and what can be chosen of it."""

    title: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the matrix."""

    key: str
    title: str
    points: float
    slug: str = ""  # of a problem
    empty: bool = False  # a step in which there is nothing to do


def step_name(step: str) -> str:
    """The name of a step of practice in the reader's language."""
    return translate(SHORT[Step(step)]) if step in list(Step) else step


def named(assigned: Iterable[AssignmentItem]) -> Mapping[str, Named]:
    """Returns what the items are called, by key."""
    return {item.key: _named(item) for item in assigned}


def _named(item: AssignmentItem) -> Named:
    if item.kind == ItemKind.PRACTICE:
        return _practice(item)
    lesson = service().lessons.get(item.slug)
    if lesson is None:
        return Named(item.key)
    title = lesson_title(lesson)
    if item.kind == ItemKind.LESSON:
        read = translate("Read: %(title)s", title=title)
        return Named(read, url_for("lessons.show", slug=lesson.slug))
    questions = translate("Questions: %(title)s", title=title)
    address = url_for("questions.show", slug=lesson.slug) if lesson.questions else ""
    return Named(questions, address, len(lesson.questions))


def _practice(item: AssignmentItem) -> Named:
    problem = service().bank.get(item.slug)
    if problem is None:
        return Named(item.key)
    title = translate(
        "Practice (%(step)s): %(title)s",
        step=step_name(item.step),
        title=problem_title(problem),
    )
    address = url_for("practice.step", slug=problem.slug, step=item.step)
    return Named(title, address, items.parts_of(reading(), item, problem.digest))


def columns(assignment: Assignment) -> Sequence[Column]:
    """Returns the columns of the matrix, in the order of its cells."""
    names = named(assignment.items)
    own = [
        Column(i.key, names[i.key].title, i.points, empty=names[i.key].total == 0)
        for i in assignment.items
    ]
    problems = assignment.problems
    return [
        *own,
        *(Column(p.slug, titled(p.slug), p.points, p.slug) for p in problems),
    ]


def lesson_rows(assignment: Assignment | None, keys: Iterable[str]) -> list[ChoiceRow]:
    """Returns the lessons that can be assigned; `keys` are chosen where there is no assignment."""
    maker = _Choices(assignment, keys)
    return [maker.of_lesson(lesson) for lesson in service().lessons.all()]


def practice_rows(
    assignment: Assignment | None, keys: Iterable[str], problems: Iterable[Problem]
) -> list[ChoiceRow]:
    """Returns the same of problems and the steps of their practice."""
    maker = _Choices(assignment, keys)
    return [maker.of_problem(problem) for problem in problems]


class _Choices:
    """Makes fields of items, with what an assignment has of them."""

    def __init__(self, assignment: Assignment | None, keys: Iterable[str]) -> None:
        own = assignment.items if assignment is not None else ()
        self.chosen = {item.key for item in own} if assignment is not None else set(keys)
        self.worth = {items.points_field(item): item.points for item in own}

    def of_lesson(self, lesson: Lesson) -> ChoiceRow:
        names = {ItemKind.LESSON: translate("read"), ItemKind.QUESTIONS: translate("questions")}
        offered = items.offered([lesson], ())
        choices = (self._choice(item, names[ItemKind(item.kind)]) for item in offered)
        return ChoiceRow(lesson_title(lesson), tuple(choices))

    def of_problem(self, problem: Problem) -> ChoiceRow:
        offered = items.offered((), [problem])
        choices = (self._choice(item, step_name(item.step)) for item in offered)
        return ChoiceRow(problem_title(problem), tuple(choices))

    def _choice(self, item: AssignmentItem, name: str) -> Choice:
        field = items.points_field(item)
        worth = self.worth.get(field, item.points)
        return Choice(item.key, name, field, worth, item.key in self.chosen)
