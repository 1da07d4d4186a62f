"""`grade lessons`: what it prints, and its exit status."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader.cli.main import grade
from tests.grader.test_lessons import bank, edit

__all__ = ["bank"]  # a fixture


def run(bank: Path, *words: str) -> Result:
    command = ["lessons", *words, "--bank", str(bank)]
    return CliRunner(env={"COLUMNS": "200"}).invoke(grade, command, standalone_mode=False)


def test_a_fit_lesson(bank: Path) -> None:
    result = run(bank)
    assert result.return_value == 0
    assert result.output == "✓ first\n1 of 1 lessons are fit to use\n"


def test_a_broken_lesson_is_named_with_its_line(bank: Path) -> None:
    edit(bank, "lesson.md", "figure: heat", "figure: heta")
    result = run(bank, "first")
    assert result.return_value == 1
    assert "✕ first\n" in result.output
    assert "lesson.md, line 5: lesson.py defines no 'heta'" in result.output
    assert result.output.endswith("0 of 1 lessons are fit to use\n")


@pytest.mark.parametrize(("word", "said"), [("frist", "did you mean 'first'"), ("x", "no lesson")])
def test_an_unknown_lesson(bank: Path, word: str, said: str) -> None:
    result = run(bank, word)
    assert result.return_value == 2
    assert said in result.output
