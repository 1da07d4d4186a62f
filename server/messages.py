"""Sentences for people that are in no language yet: an English text with named parameters.

Services raise and return them; `server.web.texts.translate` makes the sentence in the language of
its reader. See docs/design/translation.md.
"""

import re
from typing import Any, Self

from grader.findings.text import Text, read_text, text_json, told

CODE_WORDS = 8


class Message(str):
    """An English sentence that keeps its pattern and parameters, so that it can be translated.

    Everywhere else (logs, the API, the command line) it is the English sentence. Whole numbers
    are quantities and get separators; pass the number of a version or a row as text. What the API
    can answer has a `code`, which stays when the sentence is reworded (docs/server.md lists them).
    """

    __slots__ = ("explicit", "number", "parameters", "pattern", "plural")
    explicit: str
    pattern: str
    plural: str
    number: int
    parameters: dict[str, object]

    def __new__(cls, pattern: str, /, *, code: str = "", **parameters: object) -> Self:
        """`pattern` stands as a literal where this is called: the extraction reads it there."""
        return cls.of(pattern, "", 1, parameters, code)

    @property
    def code(self) -> str:
        """Names the message for a program: by its explicit code, or else by its first words without
        what varies.
        """
        if self.explicit:
            return self.explicit
        words = re.findall(r"[a-z0-9]+", re.sub(r"%\(\w+\)[a-z]|'", "", self.pattern).lower())
        return "_".join(words[:CODE_WORDS])

    @classmethod
    def of(
        cls,
        pattern: str,
        plural: str,
        number: int,
        parameters: dict[str, object],
        code: str = "",
    ) -> Self:
        """A message of patterns that are marked elsewhere."""
        chosen = plural if plural and number != 1 else pattern
        shown = {name: _english(value) for name, value in parameters.items()}
        self = super().__new__(cls, chosen % shown if shown else chosen)
        self.pattern, self.plural, self.number, self.parameters = (
            pattern,
            plural,
            number,
            parameters,
        )
        self.explicit = code
        return self


def counted(one: str, many: str, count: int, /, *, code: str = "", **parameters: object) -> Message:
    """A message whose form depends on a count, which its patterns call `%(num)s`."""
    return Message.of(one, many, count, {"num": count, **parameters}, code)


def with_values(message: Message, parameters: dict[str, object]) -> Message:
    """A message of a table, with its parameters."""
    return Message.of(message.pattern, message.plural, message.number, parameters, message.explicit)


class Saying(str):
    """The English of one of the judge's texts, which it keeps, so that it can be translated."""

    __slots__ = ("text",)
    text: Text

    def __new__(cls, text: Text) -> Self:
        """The text, whose translation stands in the catalogue of the judge."""
        self = super().__new__(cls, text)
        self.text = text
        return self


def sentence(error: Exception) -> str:
    """What an error says: a message or one of the judge's texts where it has one, else its
    string.
    """
    words = told(error)
    return Saying(words) if isinstance(words, Text) else words


def storable(value: Any) -> Any:
    """A value for a JSON column; a message or a text with its parts, so that it can be translated
    later.
    """
    if isinstance(value, Saying):
        return text_json(value.text)
    if not isinstance(value, Message):
        return value
    return {
        "pattern": value.pattern,
        "plural": value.plural,
        "number": value.number,
        "parameters": {name: storable(part) for name, part in value.parameters.items()},
    }


def stored(value: Any) -> Any:
    """What `storable` made of a value, as it was."""
    if not (isinstance(value, dict) and "pattern" in value):
        return value
    if "plural" not in value:
        return Saying(read_text(value))
    parameters = {name: stored(part) for name, part in value["parameters"].items()}
    return Message.of(value["pattern"], value["plural"], value["number"], parameters)


def shown_parameters(message: Message) -> dict[str, Any]:
    """The parameters as JSON: numbers as numbers, a message as its sentence."""
    return {
        name: value if isinstance(value, int | float) else str(value)
        for name, value in message.parameters.items()
    }


def is_quantity(value: object) -> bool:
    """Checks whether a parameter is written as a number with separators."""
    return isinstance(value, int) and not isinstance(value, bool)


def _english(value: object) -> str:
    return f"{value:,}" if is_quantity(value) else str(value)
