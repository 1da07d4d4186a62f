"""Reads the questions of a lesson: questions.toml."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from grader.errors import ProblemError
from grader.findings.catalogue import N_
from grader.findings.text import T_, Text
from grader.problem.files import read_toml
from grader.problem.table import Table

FILE = "questions.toml"
LONGEST = 500  # characters of a text
MOST = 40  # questions of a lesson
CHOICES, ITEMS, VARIANTS = range(2, 9), range(3, 9), range(1, 17)
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
TWICE = N_("%(place)s: two questions are called '%(text)s'; change one")
TWICE_SAID = N_("%(place)s: two have the text '%(text)s'; change one")
TWICE_LISTED = N_("%(place)s: two are '%(text)s'; change one")


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

    def wording(self, variant: int, language: str = "en") -> str:
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
        words = T_(
            "%(path)s: %(count)d questions; a lesson has at most %(most)d",
            path=str(path),
            count=len(rows),
            most=MOST,
        )
        raise ProblemError(words)
    questions = tuple(map(_question, rows))
    _unique(TWICE, str(path), [each.name for each in questions])
    return questions


def _question(row: Table) -> Question:
    name = row.string("name")
    if not NAME.fullmatch(name):
        words = T_(
            "%(key)s is '%(value)s'; use at most 40 of a-z, 0-9 and _, a letter first",
            key=row.where("name"),
            value=name,
        )
        raise ProblemError(words)
    row.label = T_("question '%(name)s'", name=name)
    kind = QuestionKind(row.string("kind", choices=map(str, QuestionKind)))
    text, text_zh = _text(row, "text"), _text(row, "text_zh", "")
    question = Question(name, kind, text, text_zh, **_FIELDS[kind](row))
    row.reject_unknown()
    return question


def _choices(row: Table) -> dict[str, Any]:
    choices = tuple(map(_choice, _tables(row, "choices")))
    _counted(row, "choices", len(choices), CHOICES)
    _unique(TWICE_SAID, row.where("choices"), [each.text for each in choices])
    return {"choices": choices}


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
        words = T_(
            "%(key)s is %(value)g; give a number above 0",
            key=row.where("tolerance"),
            value=tolerance,
        )
        raise ProblemError(words)
    return {"answer": _text(row, "answer"), "tolerance": tolerance, "given": _given(row)}


def _given(row: Table) -> tuple[Mapping[str, float], ...]:
    """Transposes name -> the number of each variant."""
    table = row.table("given", {})
    lists = {name: _numbers(table, name) for name in table.values}
    if not lists:
        return ()
    lengths = {len(each) for each in lists.values()}
    if len(lengths) > 1:
        place = row.where("given")
        raise ProblemError(T_("%(key)s has lists of different lengths", key=place))
    _counted(row, "given", lengths.pop(), VARIANTS)
    for name in lists:
        for key in ("text", "text_zh"):
            if row.values.get(key) and f"{{{name}}}" not in row.values[key]:
                words = T_(
                    "%(key)s does not show {%(name)s} of 'given'", key=row.where(key), name=name
                )
                raise ProblemError(words)
    return tuple(dict(zip(lists, each, strict=True)) for each in zip(*lists.values(), strict=True))


def _numbers(table: Table, name: str) -> list[float]:
    values = table.value(name)
    if not NAME.fullmatch(name):
        place = table.where(name)
        raise ProblemError(T_("%(key)s is not a name of Python in small letters", key=place))
    if type(values) is not list or not all(type(each) in (int, float) for each in values):
        words = T_("%(key)s must be a list of numbers, one for each variant", key=table.where(name))
        raise ProblemError(words)
    return values


def _order(row: Table) -> dict[str, Any]:
    items, items_zh = row.strings("items"), row.strings("items_zh", ())
    _counted(row, "items", len(items), ITEMS)
    _unique(TWICE_LISTED, row.where("items"), items)
    _unique(TWICE_LISTED, row.where("items_zh"), items_zh)
    if items_zh and len(items_zh) != len(items):
        words = T_(
            "%(key)s has %(count)d items; 'items' has %(due)d",
            key=row.where("items_zh"),
            count=len(items_zh),
            due=len(items),
        )
        raise ProblemError(words)
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
        words = T_(
            "%(place)s must be tables, each under [[%(key)s]]", place=row.where(key), key=key
        )
        raise ProblemError(words)
    return [
        Table(each, row.path, _label(row, i), "docs/lessons.md") for i, each in enumerate(values, 1)
    ]


def _label(row: Table, number: int) -> Text:
    """What the table of a question, or of one of its choices, is called."""
    if row.label:
        return T_("%(question)s, choice %(number)d", question=row.label, number=number)
    return T_("question %(number)d", number=number)


def _text(row: Table, key: str, *default: str) -> str:
    text = row.string(key, *default).strip()
    if len(text) > LONGEST:
        words = T_(
            "%(key)s has %(count)d characters; use at most %(most)d",
            key=row.where(key),
            count=len(text),
            most=LONGEST,
        )
        raise ProblemError(words)
    if not text and not default:
        raise ProblemError(T_("%(key)s is empty", key=row.where(key)))
    return text


def _counted(row: Table, key: str, count: int, allowed: range) -> None:
    if count not in allowed:
        words = T_(
            "%(key)s has %(count)d; give %(least)d to %(most)d",
            key=row.where(key),
            count=count,
            least=allowed.start,
            most=allowed.stop - 1,
        )
        raise ProblemError(words)


def _unique(pattern: str, place: Text | str, texts: tuple[str, ...] | list[str]) -> None:
    twice = next((each for each in texts if texts.count(each) > 1), None)
    if twice is not None:
        raise ProblemError(T_(pattern, place=place, text=twice))
