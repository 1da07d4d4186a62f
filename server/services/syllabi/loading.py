"""Reads the syllabi of a bank, courses/NAME.toml, and checks them against its lessons and
problems.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.errors import GradeError, ProblemError
from grader.lessons import Lesson
from grader.practice import Step
from grader.problem import Problem
from grader.problem.files import read_toml
from grader.problem.table import Table
from server.messages import Message

MANUAL = "docs/instructors.md"
LONGEST_TITLE, LONGEST_SUMMARY = 100, 400
MOST_WEEKS = 52


@dataclass(frozen=True, slots=True)
class Week:
    """What one assignment gives. `practice` are problems, each with a step."""

    title: str
    title_zh: str
    lessons: tuple[str, ...]
    practice: tuple[tuple[str, Step], ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Syllabus:
    """A course that can be made."""

    name: str
    title: str
    title_zh: str
    summary: str
    summary_zh: str
    weeks: tuple[Week, ...]
    follows: str = ""  # the name of another, which its learners have finished

    def titles(self, language: str) -> tuple[str, str]:
        """Returns the title and the summary in a language."""
        if language == "zh" and self.title_zh:
            return self.title_zh, self.summary_zh or self.summary
        return self.title, self.summary


def week_title(week: Week, language: str) -> str:
    """Returns the title of a week in a language."""
    return week.title_zh if language == "zh" and week.title_zh else week.title


def read_all(bank: Path) -> tuple[list[Syllabus], Mapping[str, str]]:
    """Returns the syllabi of a bank by name, and why others cannot be read."""
    found, faults = [], {}
    for path in sorted((bank / "courses").glob("*.toml")):
        try:
            found.append(read(path))
        except GradeError as error:
            faults[path.stem] = error.args[0]  # a `Message`, where it is the service's own
    return found, faults


def read(path: Path) -> Syllabus:
    """Reads a syllabus. Raises `ProblemError` that names the file, the key and the remedy."""
    top = Table(read_toml(path), path, manual=MANUAL)
    tables = top.value("week")
    if not (isinstance(tables, list) and all(isinstance(table, dict) for table in tables)):
        raise ProblemError(
            Message(
                "%(key)s must be tables [[week]]; see %(manual)s",
                key=top.where("week"),
                manual=MANUAL,
            )
        )
    if not 1 <= len(tables) <= MOST_WEEKS:
        raise ProblemError(
            Message(
                "%(key)s: give 1 to %(most)s tables [[week]]",
                key=top.where("week"),
                most=MOST_WEEKS,
            )
        )
    syllabus = Syllabus(
        name=path.stem,
        title=_short(top, "title", LONGEST_TITLE),
        title_zh=_short(top, "title_zh", LONGEST_TITLE, ""),
        summary=_short(top, "summary", LONGEST_SUMMARY, ""),
        summary_zh=_short(top, "summary_zh", LONGEST_SUMMARY, ""),
        weeks=tuple(
            _week(Table(table, path, f"week {number}", MANUAL))
            for number, table in enumerate(tables, 1)
        ),
        follows=top.string("follows", ""),
    )
    top.reject_unknown()
    return syllabus


def _week(table: Table) -> Week:
    week = Week(
        title=_short(table, "title", LONGEST_TITLE),
        title_zh=_short(table, "title_zh", LONGEST_TITLE, ""),
        lessons=table.strings("lessons", ()),
        practice=tuple(_practice(table, each) for each in table.strings("practice", ())),
        problems=table.strings("problems", ()),
    )
    table.reject_unknown()
    if not (week.lessons or week.practice or week.problems):
        raise ProblemError(
            Message("%(key)s, 'practice' and 'problems' are all empty", key=table.where("lessons"))
        )
    for key in ("lessons", "practice", "problems"):
        if len(set(getattr(week, key))) != len(getattr(week, key)):
            raise ProblemError(
                Message("%(key)s has one entry twice; leave one out", key=table.where(key))
            )
    return week


def _practice(table: Table, text: str) -> tuple[str, Step]:
    slug, _, step = text.partition(":")
    if not slug or step not in list(Step):
        raise ProblemError(
            Message(
                "%(key)s has '%(text)s'; write PROBLEM:STEP with one of %(steps)s",
                key=table.where("practice"),
                text=text,
                steps=", ".join(Step),
            )
        )
    return slug, Step(step)


def _short(table: Table, key: str, most: int, *default: str) -> str:
    text = table.string(key, *default).strip()
    if len(text) > most or (not text and not default):
        raise ProblemError(
            Message("%(key)s: give 1 to %(most)s characters", key=table.where(key), most=most)
        )
    return text


def faults(
    syllabus: Syllabus,
    lessons: Sequence[Lesson],
    problems: Sequence[Problem],
    others: Iterable[Syllabus] = (),
) -> list[Message]:
    """Returns what keeps a syllabus from being used with this bank: lessons and problems that are
    not there, and those that come before what they require. What another gives that it follows
    comes before all of it.
    """
    needs = {each.slug: set(each.requires) for each in lessons}
    asks = {each.slug: set(each.requires) for each in problems}
    found: list[Message] = []
    read_before, solved_before = set[str](), set[str]()
    followed = next((each for each in others if each.name == syllabus.follows), None)
    if followed is not None:
        read_before |= {slug for week in followed.weeks for slug in week.lessons}
        solved_before |= {slug for week in followed.weeks for slug in week.problems}
    elif syllabus.follows:
        found.append(Message("the bank has no syllabus '%(name)s'", name=syllabus.follows))
    for week in syllabus.weeks:
        found += _misplaced(week, week.lessons, needs, read_before)
        found += _misplaced(week, week.problems, asks, solved_before)
        found += [_unknown(week, slug) for slug in _practised(week) if slug not in asks]
    return found


def _practised(week: Week) -> Iterator[str]:
    yield from dict.fromkeys(slug for slug, _ in week.practice)


def _misplaced(
    week: Week, slugs: Iterable[str], requires: Mapping[str, set[str]], before: set[str]
) -> Iterator[Message]:
    """What is wrong with the lessons or the problems of a week, which join those `before`."""
    for slug in slugs:
        if slug not in requires:
            yield _unknown(week, slug)
        for missing in sorted(requires.get(slug, set()) - before):
            yield Message(
                "%(week)s: '%(slug)s' requires '%(missing)s', which does not come before it",
                week=week.title,
                slug=slug,
                missing=missing,
            )
        before.add(slug)


def _unknown(week: Week, slug: str) -> Message:
    return Message("%(week)s: the bank has no '%(slug)s'", week=week.title, slug=slug)
