"""What a lesson consists of, as values."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.lessons.questions import Question

Values = Mapping[str, Any]  # of lesson.py by name, as JSON has them


@dataclass(frozen=True, slots=True)
class Lesson:
    """Everything that the author of a lesson wrote, with its form checked."""

    slug: str
    title: str
    title_zh: str
    order: int
    minutes: int
    summary: str
    summary_zh: str
    requires: tuple[str, ...]  # lessons to read first
    problems: tuple[str, ...]  # problems to go on with
    uses: tuple[str, ...]  # problems whose NumPy reference the program calls
    texts: Mapping[str, str]  # Markdown by language: en, zh
    program: str  # lesson.py
    regions: Mapping[str, str]  # of the program, by name
    questions: tuple[Question, ...]
    digest: str
    folder: Path

    def text(self, language: str) -> str:
        """Returns the text in a language, else in English."""
        return self.texts.get(language, self.texts["en"])

    def file(self, language: str) -> Path:
        """Returns the file that `text` is read from."""
        shown = language != "en" and language in self.texts
        return self.folder / (f"lesson.{language}.md" if shown else "lesson.md")
