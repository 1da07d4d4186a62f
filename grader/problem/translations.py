"""Reads what a problem says in another language: hints, names and notes of cases, and what other
right solutions say of themselves.
"""

import re
from pathlib import Path

from grader.errors import ProblemError
from grader.findings.catalogue import N_
from grader.findings.text import T_
from grader.problem.definition import Mistake, Right, Words
from grader.problem.files import read_text, read_toml
from grader.problem.spelling import did_you_mean
from grader.problem.standard import MISTAKES, NAMES_ZH, NOTES_ZH
from grader.problem.table import Table

MISTAKE = N_("%(key)s: mistakes.toml has no such mistake%(meant)s")
SOLUTION = N_("%(key)s: right/ has no such solution%(meant)s")
# a line that shows a sample; what it splits is text and names by turns
SAMPLE = re.compile(r"^\[\[sample: (.+?)\]\]\s*$", re.MULTILINE)


def samples_named(statement: str) -> list[str]:
    """Returns the samples that a statement shows, in its order, as often as it names them."""
    return SAMPLE.findall(statement)


def read_statements(folder: Path) -> dict[str, str]:
    """Returns the statement by language; English is required. Raises `ProblemError`."""
    statements = {"en": read_text(folder / "statement.md", T_("the learner reads it"))}
    if (folder / "statement.zh.md").exists():
        statements["zh"] = read_text(folder / "statement.zh.md", "")
    return statements


def read_words(
    folder: Path, mistakes: tuple[Mistake, ...], right: tuple[Right, ...]
) -> dict[str, Words]:
    """Returns the contents of hints.zh.toml by language; empty where there is no such file.

    Raises `ProblemError`.
    """
    path = folder / "hints.zh.toml"
    if not path.exists():
        return {}
    top = Table(read_toml(path), path)
    hints, cases = top.table("mistakes", {}), top.table("cases", {})
    questions, styles = top.table("questions", {}), top.table("right", {})
    top.reject_unknown()
    rows = {name: cases.table(name) for name in cases.values}
    words = Words(
        hints=_standard_hints(mistakes)
        | _named(hints, [mistake.name for mistake in mistakes], MISTAKE),
        questions=_named(questions, [each.name for each in mistakes if each.question], MISTAKE),
        right=_named(styles, list(dict.fromkeys(each.name for each in right)), SOLUTION),
        names=NAMES_ZH | {name: row.string("name") for name, row in rows.items()},
        notes=NOTES_ZH | {name: row.string("note") for name, row in rows.items()},
    )
    for row in rows.values():
        row.reject_unknown()
    return {"zh": words}


def _standard_hints(mistakes: tuple[Mistake, ...]) -> dict[str, str]:
    """Returns the hints of the standard mistakes; one of the author's may have the same name."""
    return {
        mistake.name: MISTAKES[mistake.name].hint_zh
        for mistake in mistakes
        if mistake.name in MISTAKES and mistake.hint == MISTAKES[mistake.name].hint
    }


def _named(table: Table, known: list[str], unknown: str) -> dict[str, str]:
    texts = {name: table.string(name) for name in known if name in table.values}
    for name in table.values:
        if name not in texts:
            meant = did_you_mean(name, known)
            raise ProblemError(T_(unknown, key=table.where(name), meant=meant))
    return texts
