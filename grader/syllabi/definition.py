"""What a syllabus holds."""

from dataclasses import dataclass
from pathlib import Path

from grader.practice import Step


@dataclass(frozen=True, slots=True)
class Week:
    """What one assignment gives. `practice` are problems, each with a step."""

    title: str
    title_zh: str
    lessons: tuple[str, ...]
    practice: tuple[tuple[str, Step], ...]
    problems: tuple[str, ...]

    def name(self, language: str) -> str:
        """Returns the title in a language."""
        return self.title_zh if language == "zh" and self.title_zh else self.title


@dataclass(frozen=True, slots=True)
class Syllabus:
    """A course that can be made."""

    path: Path
    title: str
    title_zh: str
    summary: str
    summary_zh: str
    weeks: tuple[Week, ...]
    follows: str = ""  # the name of another, which its learners have finished

    @property
    def name(self) -> str:
        """What the file is called, which names it everywhere."""
        return self.path.stem

    def titles(self, language: str) -> tuple[str, str]:
        """Returns the title and the summary in a language."""
        if language == "zh" and self.title_zh:
            return self.title_zh, self.summary_zh or self.summary
        return self.title, self.summary
