"""Reads lessons/words.toml: the words that statements and lessons use, each explained once."""

import re
from dataclasses import dataclass
from pathlib import Path

from grader.errors import ProblemError
from grader.findings.text import T_
from grader.problem import bank_root
from grader.problem.files import read_toml
from grader.problem.table import Table

FILE = "words.toml"
NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
LONGEST = 400  # characters of an explanation


@dataclass(frozen=True)
class Word:
    """A word: its identifier in an address, how a text says it, and what it means."""

    key: str
    name: str
    name_zh: str
    also: tuple[str, ...]  # other forms, such as the plural
    also_zh: tuple[str, ...]
    text: str
    text_zh: str
    lesson: str  # the lesson that explains it; empty where none does

    def title(self, language: str) -> str:
        """Returns the word in a language."""
        return self.name_zh if language == "zh" else self.name

    def explained(self, language: str) -> str:
        """Returns what it means in a language."""
        return self.text_zh if language == "zh" else self.text

    def forms(self, language: str) -> tuple[str, ...]:
        """Returns every form in which a text of a language says it."""
        return (self.name_zh, *self.also_zh) if language == "zh" else (self.name, *self.also)


def read_words(bank: Path) -> tuple[Word, ...]:
    """Reads the words of a bank, in alphabetical order; none where there is no file.

    Raises `ProblemError`.
    """
    path = bank_root(bank) / "lessons" / FILE
    if not path.exists():
        return ()
    top = Table(read_toml(path), path, manual="docs/lessons.md")
    tables = top.value("word")
    top.reject_unknown()
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        place = top.where("word")
        raise ProblemError(T_("%(key)s must be tables [[word]]; see docs/lessons.md", key=place))
    rows = [
        Table(table, path, T_("word %(number)d", number=i), "docs/lessons.md")
        for i, table in enumerate(tables, 1)
    ]
    words = [_word(row) for row in rows]
    _unique(path, [word.key for word in words])
    return tuple(sorted(words, key=lambda word: word.name.casefold()))


def _word(row: Table) -> Word:
    key = row.string("key")
    if not NAME.fullmatch(key):
        words = T_(
            "%(key)s is '%(value)s'; use at most 40 of a-z, 0-9 and hyphens, a letter first",
            key=row.where("key"),
            value=key,
        )
        raise ProblemError(words)
    row.label = T_("word '%(key)s'", key=key)
    word = Word(
        key,
        row.string("name"),
        row.string("name_zh"),
        row.strings("also", ()),
        row.strings("also_zh", ()),
        _text(row, "text"),
        _text(row, "text_zh"),
        row.string("lesson", ""),
    )
    row.reject_unknown()
    return word


def _text(row: Table, key: str) -> str:
    text: str = row.string(key)
    if not 0 < len(text) <= LONGEST:
        words = T_(
            "%(key)s has %(count)d characters; give 1 to %(most)d",
            key=row.where(key),
            count=len(text),
            most=LONGEST,
        )
        raise ProblemError(words)
    return text


def _unique(path: Path, keys: list[str]) -> None:
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None:
        words = T_(
            "%(path)s: two words have the key '%(key)s'; give each its own",
            path=str(path),
            key=twice,
        )
        raise ProblemError(words)
