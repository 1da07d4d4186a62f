"""Finds the rules that a statement lists: each is checked by cases of its own."""

import re
from collections.abc import Mapping

HEADINGS = {"en": "The rules", "zh": "规则"}
_SECTION = re.compile(r"^## +(.+?) *$", re.MULTILINE)
_RULE = re.compile(r"^- \*\*(.+?)\*\*", re.MULTILINE | re.DOTALL)


def read_rules(statements: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Returns the names of the rules by language, in the order of the statement.

    A rule is an item of the list under the heading "The rules" that begins in bold; what is bold is
    its name, without the punctuation at its end. A statement without that heading has no rules.
    """
    return {
        language: _names(text, HEADINGS[language])
        for language, text in statements.items()
        if language in HEADINGS
    }


def _names(statement: str, heading: str) -> tuple[str, ...]:
    parts = _SECTION.split(statement)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    names = _RULE.findall(sections.get(heading, ""))
    return tuple(" ".join(name.split()).rstrip(".:;。：；") for name in names)
