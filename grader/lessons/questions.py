"""Reads the questions of a lesson: questions.toml."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from grader.errors import ProblemError
from grader.problem.files import read_toml
from grader.problem.table import Table

FILE = "questions.toml"
LONGEST = 500  # characters of a text
MOST = 40  # questions of a lesson
CHOICES, ITEMS, VARIANTS = range(2, 9), range(3, 9), range(1, 17)
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


class QuestionKind(StrEnum):
    """How a question is answered."""

    CHOICE = "choice"
    NUMBER = "number"
    ORDER = "order"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the answers to choose from, and the sentence that says why it is right or wrong."""

    text: str
    text_zh: str
    why: str
    why_zh: str
    right: bool


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what its kind needs; the fields of other kinds are empty."""

    name: str
    kind: QuestionKind
    text: str
    text_zh: str
    choices: tuple[Choice, ...] = ()
    answer: str = ""  # an expression over the names of lesson.py and of `given`
    tolerance: float = 0.0
    given: tuple[Mapping[str, float], ...] = ()  # the numbers of each variant, by name
    items: tuple[str, ...] = ()  # in the right order
    items_zh: tuple[str, ...] = ()

    def key(self, variant: int) -> str:
        """Under which the answer of a variant stands among the values of the lesson."""
        return f"question {self.name} {variant}"

    def asked(self, variant: int, language: str = "en") -> str:
        """Returns the text in a language, else in English, with the numbers of a variant."""
        text = self.text_zh if language == "zh" and self.text_zh else self.text
        for name, value in (self.given[variant] if self.given else {}).items():
            text = text.replace(f"{{{name}}}", written(value))
        return text


def written(value: float) -> str:
    """Returns a number as a text says it: without a fraction when it has none."""
    return f"{value:g}" if value % 1 else f"{value:.0f}"


def read_questions(folder: Path) -> tuple[Question, ...]:
    """Reads every table [[question]] of a lesson; none when there is no questions.toml.

    Raises `ProblemError`.
    """
    path = folder / FILE
    if not path.exists():
        return ()
    top = Table(read_toml(path), path, manual="docs/lessons.md")
    rows = _tables(top, "question")
    top.reject_unknown()
    if len(rows) > MOST:
        raise ProblemError(f"{path}: {len(rows)} questions; a lesson has at most {MOST}")
    found = tuple(map(_question, rows))
    _unique(str(path), "questions are called", [each.name for each in found])
    return found


def _question(row: Table) -> Question:
    name = row.string("name")
    if not NAME.fullmatch(name):
        raise ProblemError(
            f"{row.where('name')} is '{name}'; use at most 40 of a-z, 0-9 and _, a letter first"
        )
    row.label = f"question '{name}'"
    kind = QuestionKind(row.string("kind", choices=map(str, QuestionKind)))
    text, text_zh = _text(row, "text"), _text(row, "text_zh", "")
    question = Question(name, kind, text, text_zh, **_FIELDS[kind](row))
    row.reject_unknown()
    return question


def _choices(row: Table) -> dict[str, Any]:
    found = tuple(map(_choice, _tables(row, "choices")))
    _counted(row, "choices", len(found), CHOICES)
    _unique(row.where("choices"), "have the text", [each.text for each in found])
    return {"choices": found}


def _choice(row: Table) -> Choice:
    choice = Choice(
        text=_text(row, "text"),
        text_zh=_text(row, "text_zh", ""),
        why=_text(row, "why"),
        why_zh=_text(row, "why_zh", ""),
        right=row.boolean("right", False),
    )
    row.reject_unknown()
    return choice


def _number(row: Table) -> dict[str, Any]:
    tolerance = float(row.number("tolerance") or 0)
    if not 0 < tolerance < math.inf:
        raise ProblemError(f"{row.where('tolerance')} is {tolerance:g}; give a number above 0")
    return {"answer": _text(row, "answer"), "tolerance": tolerance, "given": _given(row)}


def _given(row: Table) -> tuple[Mapping[str, float], ...]:
    """Transposes name -> the number of each variant."""
    table = row.table("given", {})
    lists = {name: _numbers(table, name) for name in table.values}
    if not lists:
        return ()
    lengths = {len(each) for each in lists.values()}
    if len(lengths) > 1:
        raise ProblemError(f"{row.where('given')} has lists of different lengths")
    _counted(row, "given", lengths.pop(), VARIANTS)
    for name in lists:
        for key in ("text", "text_zh"):
            if row.values.get(key) and f"{{{name}}}" not in row.values[key]:
                raise ProblemError(f"{row.where(key)} does not show {{{name}}} of 'given'")
    return tuple(dict(zip(lists, each, strict=True)) for each in zip(*lists.values(), strict=True))


def _numbers(table: Table, name: str) -> list[float]:
    values = table.value(name)
    if not NAME.fullmatch(name):
        raise ProblemError(f"{table.where(name)} is not a name of Python in small letters")
    if type(values) is not list or not all(type(each) in (int, float) for each in values):
        raise ProblemError(f"{table.where(name)} must be a list of numbers, one for each variant")
    return values


def _order(row: Table) -> dict[str, Any]:
    items, items_zh = row.strings("items"), row.strings("items_zh", ())
    _counted(row, "items", len(items), ITEMS)
    _unique(row.where("items"), "are", items)
    _unique(row.where("items_zh"), "are", items_zh)
    if items_zh and len(items_zh) != len(items):
        raise ProblemError(
            f"{row.where('items_zh')} has {len(items_zh)} items; 'items' has {len(items)}"
        )
    return {"items": items, "items_zh": items_zh}


_FIELDS = {
    QuestionKind.CHOICE: _choices,
    QuestionKind.NUMBER: _number,
    QuestionKind.ORDER: _order,
}


def _tables(row: Table, key: str) -> list[Table]:
    """The tables [[key]] inside a table."""
    values = row.value(key)
    if type(values) is not list or not all(type(each) is dict for each in values):
        raise ProblemError(f"{row.where(key)} must be tables, each under [[{key}]]")
    label = f"{row.label}, " if row.label else ""
    word = key.removesuffix("s")
    return [
        Table(each, row.path, f"{label}{word} {i}", "docs/lessons.md")
        for i, each in enumerate(values, 1)
    ]


def _text(row: Table, key: str, *default: str) -> str:
    text = row.string(key, *default).strip()
    if len(text) > LONGEST:
        raise ProblemError(f"{row.where(key)} has {len(text)} characters; use at most {LONGEST}")
    if not text and not default:
        raise ProblemError(f"{row.where(key)} is empty")
    return text


def _counted(row: Table, key: str, count: int, allowed: range) -> None:
    if count not in allowed:
        raise ProblemError(
            f"{row.where(key)} has {count}; give {allowed.start} to {allowed.stop - 1}"
        )


def _unique(place: str, words: str, texts: tuple[str, ...] | list[str]) -> None:
    twice = next((each for each in texts if texts.count(each) > 1), None)
    if twice is not None:
        raise ProblemError(f"{place}: two {words} '{twice}'; change one")
