"""Translates what a verdict says: a problem's words by name, the judge's by their English.

A verdict itself is English.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.model import Outcome
from grader.problem import Problem, Words

LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Translator:
    """Says what a verdict says in one language.

    In English, and where something has no translation, it stays as it is.
    """

    language: str = "en"
    words: Words = field(default_factory=Words)

    def case(self, name: str) -> str:
        """The name of a case."""
        return self.words.names.get(name, name)

    def note(self, name: str, note: str) -> str:
        """Why the case exists."""
        return self.words.notes.get(name, note)

    def hint(self, mistake: str, hint: str) -> str:
        """What a teacher would say to a known mistake."""
        return self.words.hints.get(mistake, hint)

    def message(self, text: str) -> str:
        """A sentence of the judge."""
        if self.language != "zh" or not text:
            return text
        from grader.chinese import sentence

        return sentence(text, self.words.names)

    def outcome(self, verdict: Outcome) -> str:
        """`wrong_answer` as `wrong answer`."""
        if self.language != "zh":
            return str(verdict).replace("_", " ")
        from grader.chinese import OUTCOMES

        return OUTCOMES[verdict]


ENGLISH = Translator()


def translator(problem: Problem | None, language: str) -> Translator:
    """The translator for a problem; for no problem in particular, it knows the judge's own
    sentences.
    """
    known: Mapping[str, Words] = problem.words if problem is not None else {}
    return Translator(language, known.get(language, Words()))


__all__ = ["ENGLISH", "LANGUAGES", "Translator", "translator"]
