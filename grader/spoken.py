"""A verdict's words in the reader's language: the problem's own by name, the judge's by their English. A verdict itself is English."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grader.model import Outcome
from grader.problem import Problem, Words

LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Spoken:
    """How to say what a verdict says. In English, and where something has no translation, as it is."""

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


ENGLISH = Spoken()


def spoken(problem: Problem | None, language: str) -> Spoken:
    """The words of a problem in a language; of no problem in particular, the judge's alone."""
    known: Mapping[str, Words] = problem.words if problem is not None else {}
    return Spoken(language, known.get(language, Words()))


__all__ = ["ENGLISH", "LANGUAGES", "Spoken", "spoken"]
