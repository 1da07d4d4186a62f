"""Reads the syllabi of a bank, courses/NAME.toml."""

from collections.abc import Mapping
from pathlib import Path

from grader.errors import GradeError, ProblemError, UsageError
from grader.findings.text import T_, Text, told
from grader.practice import Step
from grader.problem import bank_root, did_you_mean
from grader.problem.files import read_toml
from grader.problem.table import Table
from grader.syllabi.definition import Syllabus, Week

MANUAL = "docs/instructors.md"
LONGEST_TITLE, LONGEST_SUMMARY = 100, 400
MOST_WEEKS = 52


def names(bank: Path) -> list[str]:
    """Returns the names of a bank's syllabi in alphabetical order."""
    return sorted(path.stem for path in (bank_root(bank) / "courses").glob("*.toml"))


def read_all(bank: Path) -> tuple[list[Syllabus], Mapping[str, Text | str]]:
    """Returns the syllabi of a bank by name, and why others cannot be read."""
    syllabi, faults = [], {}
    for name in names(bank):
        try:
            syllabi.append(load(bank, name))
        except GradeError as error:
            faults[name] = told(error)
    return syllabi, faults


def load(bank: Path, name: str) -> Syllabus:
    """Reads one syllabus.

    Raises `UsageError` when the bank has none of that name, `ProblemError` as `read` does.
    """
    path, known = bank_root(bank) / "courses" / f"{name}.toml", names(bank)
    if name not in known:
        words = T_(
            "no syllabus '%(name)s' in %(folder)s%(meant)s",
            name=name,
            folder=str(path.parent),
            meant=did_you_mean(name, known),
        )
        raise UsageError(words)
    return read(path)


def read(path: Path) -> Syllabus:
    """Reads a syllabus. Raises `ProblemError` with a text that names the file, the key and the
    remedy.
    """
    top = Table(read_toml(path), path, manual=MANUAL)
    tables = top.value("week")
    if not (isinstance(tables, list) and all(isinstance(table, dict) for table in tables)):
        raise ProblemError(
            T_(
                "%(key)s must be tables [[week]]; see %(manual)s",
                key=top.where("week"),
                manual=MANUAL,
            )
        )
    if not 1 <= len(tables) <= MOST_WEEKS:
        raise ProblemError(
            T_(
                "%(key)s: give 1 to %(most)d tables [[week]]",
                key=top.where("week"),
                most=MOST_WEEKS,
            )
        )
    syllabus = Syllabus(
        path=path,
        title=_short(top, "title", LONGEST_TITLE),
        title_zh=_short(top, "title_zh", LONGEST_TITLE, ""),
        summary=_short(top, "summary", LONGEST_SUMMARY, ""),
        summary_zh=_short(top, "summary_zh", LONGEST_SUMMARY, ""),
        weeks=tuple(
            _week(Table(table, path, T_("week %(number)d", number=number), MANUAL))
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
            T_(
                "%(key)s, 'practice' and 'problems' are all empty; give something to do, or leave"
                " the week out",
                key=table.where("lessons"),
            )
        )
    for key in ("lessons", "practice", "problems"):
        if len(set(getattr(week, key))) != len(getattr(week, key)):
            raise ProblemError(
                T_("%(key)s has one entry twice; leave one out", key=table.where(key))
            )
    return week


def _practice(table: Table, text: str) -> tuple[str, Step]:
    slug, _, step = text.partition(":")
    if not slug or step not in list(Step):
        raise ProblemError(
            T_(
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
            T_("%(key)s: give 1 to %(most)d characters", key=table.where(key), most=most)
        )
    return text
