"""Reads what a problem says in another language: hints, and names and notes of cases."""

import re
from collections.abc import Mapping
from pathlib import Path

from grader.errors import ProblemError
from grader.problem.definition import Mistake, Words
from grader.problem.files import read_text, read_toml
from grader.problem.spelling import did_you_mean
from grader.problem.table import Table

# a line that shows a sample; what it splits is text and names by turns
SAMPLE = re.compile(r"^\[\[sample: (.+?)\]\]\s*$", re.MULTILINE)


def samples_named(statement: str) -> list[str]:
    """Returns the samples that a statement shows, in its order, as often as it names them."""
    return SAMPLE.findall(statement)


def read_statements(folder: Path) -> dict[str, str]:
    """Returns the statement by language; English is required. Raises `ProblemError`."""
    statements = {"en": read_text(folder / "statement.md", "the learner reads it")}
    if (folder / "statement.zh.md").exists():
        statements["zh"] = read_text(folder / "statement.zh.md", "")
    return statements


def read_words(folder: Path, mistakes: tuple[Mistake, ...]) -> dict[str, Words]:
    """Returns the contents of hints.zh.toml by language; empty where there is no such file.

    Raises `ProblemError`.
    """
    path = folder / "hints.zh.toml"
    if not path.exists():
        return {}
    top = Table(read_toml(path), path)
    hints, cases = top.table("mistakes", {}), top.table("cases", {})
    questions = top.table("questions", {})
    top.reject_unknown()
    rows = {name: cases.table(name) for name in cases.values}
    words = Words(
        hints=_hints(hints, [mistake.name for mistake in mistakes]),
        questions=_hints(questions, [mistake.name for mistake in mistakes if mistake.question]),
        names={name: row.string("name") for name, row in rows.items()},
        notes={name: row.string("note") for name, row in rows.items()},
    )
    for row in rows.values():
        row.reject_unknown()
    return {"zh": words}


def _hints(table: Table, mistakes: list[str]) -> Mapping[str, str]:
    hints = {name: table.string(name) for name in mistakes if name in table.values}
    for name in table.values:
        if name not in hints:
            raise ProblemError(
                f"{table.where(name)}: mistakes.toml has no such"
                f" mistake{did_you_mean(name, mistakes)}"
            )
    return hints
