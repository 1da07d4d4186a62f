"""Reads lessons/why: for a problem, why its reference works, in ten lines.

The texts stand beside the lessons and not in the folder of the problem, because they change nothing
that is judged: a problem keeps its version when its explanation gets better.
"""

from pathlib import Path

from grader.errors import ProblemError
from grader.findings.text import T_
from grader.problem import bank_root
from grader.problem.files import read_text

FOLDER = "why"
MOST_LINES = 10  # that are not empty
LANGUAGES = {"en": ".md", "zh": ".zh.md"}


def read_why(bank: Path, slug: str, language: str) -> str:
    """Returns the text of a problem in a language, else in English; empty where there is none.

    Raises `ProblemError`.
    """
    folder = bank_root(bank) / "lessons" / FOLDER
    endings = dict.fromkeys((LANGUAGES.get(language, ".md"), ".md"))
    path = next((p for e in endings if (p := folder / f"{slug}{e}").is_file()), None)
    if path is None:
        return ""
    text = read_text(path, T_("it says why the reference works"))
    lines = sum(bool(line.strip()) for line in text.splitlines())
    if lines > MOST_LINES:
        words = T_(
            "%(path)s: %(count)d lines that are not empty; give at most %(most)d",
            path=str(path),
            count=lines,
            most=MOST_LINES,
        )
        raise ProblemError(words)
    return text
