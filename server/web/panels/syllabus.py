"""What pages show of the syllabi of the bank, in the reader's language."""

from collections.abc import Mapping
from dataclasses import dataclass

from grader.errors import GradeError, UsageError
from server.messages import Message
from server.services.syllabi import loading
from server.services.syllabi.loading import Syllabus, Week
from server.web.context import service
from server.web.pages import lesson_page, problem_page
from server.web.panels.item import step_name
from server.web.texts import language, translate


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


def _read() -> tuple[list[Syllabus], Mapping[str, str]]:
    try:
        return loading.read_all(service().bank.root())
    except GradeError:  # every problem was published here, and no folder is there
        return [], {}


def _faults(syllabus: Syllabus) -> list[Message]:
    lessons, problems = service().lessons.all(), service().bank.problems()
    return loading.faults(syllabus, lessons, problems, _read()[0])


def syllabus_rows() -> list[SyllabusRow]:
    """Returns every syllabus that can be read."""
    return [_row(syllabus) for syllabus in _read()[0]]


def unreadable() -> Mapping[str, str]:
    """Returns why others cannot be read, by name."""
    return _read()[1]


def find_syllabus(name: str) -> Syllabus:
    """Returns a syllabus that can be used. Raises `UsageError`."""
    found = next((each for each in _read()[0] if each.name == name), None)
    if found is None:
        raise UsageError(Message("There is no syllabus '%(name)s'.", name=name[:80]))
    faults = _faults(found)
    if faults:
        raise UsageError(faults[0])
    return found


def _row(syllabus: Syllabus) -> SyllabusRow:
    title, summary = syllabus.titles(language())
    weeks = tuple(_week(week) for week in syllabus.weeks)
    faults = tuple(translate(fault) for fault in _faults(syllabus))
    return SyllabusRow(syllabus.name, title, summary, weeks, faults)


def _week(week: Week) -> WeekRow:
    lessons = (service().lessons.get(slug) for slug in week.lessons)
    return WeekRow(
        loading.week_title(week, language()),
        tuple(lesson_page.title(lesson) for lesson in lessons if lesson is not None),
        tuple(f"{_problem(slug)} ({step_name(step)})" for slug, step in week.practice),
        tuple(map(_problem, week.problems)),
    )


def _problem(slug: str) -> str:
    problem = service().bank.get(slug)
    return problem_page.title(problem) if problem is not None else slug
