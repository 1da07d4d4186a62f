"""A text that is in no language yet: an English pattern, and what stands in its places."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

from grader.findings.catalogue import Catalogue, catalogue
from grader.findings.finding import Finding, from_json, to_json
from grader.findings.sentences import sentence


@dataclass(frozen=True, slots=True)
class Text:
    """A pattern of the catalogue with its parameters, which may be texts or findings themselves.

    As a string it is English.
    """

    pattern: str
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return said(self, catalogue("en"))


def T_(pattern: str, **parameters: Any) -> Text:
    """Makes a text, and marks its pattern for extraction."""
    return Text(pattern, parameters)


def told(error: Exception) -> Text | str:
    """Returns what an error says, in the form in which it was raised."""
    (words,) = error.args if len(error.args) == 1 else (str(error),)
    return words if isinstance(words, Text | str) else str(error)


def text_json(text: Text) -> dict[str, Any]:
    """Returns a text, whose parameters are plain values, findings or texts, as JSON has it."""
    parameters = {name: _json(value) for name, value in text.parameters.items()}
    return {"pattern": text.pattern, "parameters": parameters}


def _json(value: Any) -> Any:
    if isinstance(value, Text):
        return text_json(value)
    if isinstance(value, Finding):
        return {"finding": to_json(value)}
    if isinstance(value, Integral) and not isinstance(value, bool):
        return int(value)  # of NumPy too
    finite = isinstance(value, float) and math.isfinite(value)
    return value if finite or isinstance(value, str | bool | None) else str(value)


def read_text(data: Mapping[str, Any]) -> Text:
    """The inverse of `text_json`."""
    parameters = {name: _read(value) for name, value in data["parameters"].items()}
    return Text(str(data["pattern"]), parameters)


def _read(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return from_json(value["finding"]) if "finding" in value else read_text(value)


def said(text: Text | Finding | str, words: Catalogue) -> str:
    """Returns a text in a language; a plain string as it is."""
    if isinstance(text, str):
        return text
    if isinstance(text, Finding):
        return sentence(text, words)
    values = {
        name: said(value, words) if isinstance(value, Text | Finding) else value
        for name, value in text.parameters.items()
    }
    return words.gettext(text.pattern) % values
