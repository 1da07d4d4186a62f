"""What pages show of the syllabi of the bank, in the reader's language."""

from collections.abc import Mapping
from dataclasses import dataclass

from grader.errors import GradeError, UsageError
from grader.findings.catalogue import catalogue
from grader.findings.text import Text, said
from grader.syllabi import Syllabus, Week, faults, read_all
from server.messages import Message
from server.web.context import service
from server.web.panels.item import step_name
from server.web.texts import language
from server.web.titles import lesson_title, problem_title


@dataclass(frozen=True, slots=True)
class WeekRow:
    """A week, with the titles of what it gives."""

    title: str
    lessons: tuple[str, ...]
    practice: tuple[str, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SyllabusRow:
    """A syllabus; one with faults cannot be used."""

    name: str
    title: str
    summary: str
    weeks: tuple[WeekRow, ...]
    faults: tuple[str, ...]


def _read() -> tuple[list[Syllabus], Mapping[str, Text | str]]:
    try:
        return read_all(service().bank.root())
    except GradeError:  # every problem was published here, and no folder is there
        return [], {}


def _faults(syllabus: Syllabus) -> list[str]:
    lessons, problems = service().lessons.all(), service().bank.problems()
    return [_said(fault) for fault in faults(syllabus, lessons, problems, _read()[0])]


def _said(text: Text | str) -> str:
    return said(text, catalogue(language()))


def syllabus_rows() -> list[SyllabusRow]:
    """Returns every syllabus that can be read."""
    return [_row(syllabus) for syllabus in _read()[0]]


def unreadable() -> Mapping[str, str]:
    """Returns why others cannot be read, by name."""
    return {name: _said(fault) for name, fault in _read()[1].items()}


def find_syllabus(name: str) -> Syllabus:
    """Returns a syllabus that can be used. Raises `UsageError`."""
    syllabus = next((each for each in _read()[0] if each.name == name), None)
    if syllabus is None:
        raise UsageError(Message("There is no syllabus '%(name)s'.", name=name[:80]))
    broken = _faults(syllabus)
    if broken:
        raise UsageError(broken[0])
    return syllabus


def _row(syllabus: Syllabus) -> SyllabusRow:
    title, summary = syllabus.titles(language())
    weeks = tuple(_week(week) for week in syllabus.weeks)
    return SyllabusRow(syllabus.name, title, summary, weeks, tuple(_faults(syllabus)))


def _week(week: Week) -> WeekRow:
    lessons = (service().lessons.get(slug) for slug in week.lessons)
    return WeekRow(
        week.name(language()),
        tuple(lesson_title(lesson) for lesson in lessons if lesson is not None),
        tuple(f"{_problem(slug)} ({step_name(step)})" for slug, step in week.practice),
        tuple(map(_problem, week.problems)),
    )


def _problem(slug: str) -> str:
    problem = service().bank.get(slug)
    return problem_title(problem) if problem is not None else slug
