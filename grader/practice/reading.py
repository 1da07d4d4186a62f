"""Reads an answer that somebody typed."""

import ast
import re
from collections.abc import Sequence

from grader.errors import UsageError
from grader.findings.catalogue import Catalogue
from grader.findings.text import T_, Text, said
from grader.practice.item import (
    Arrange,
    Beat,
    Bug,
    Fill,
    Given,
    Item,
    Mend,
    Placed,
    PredictRow,
    PredictShape,
)

MOST_TEXT = 1000  # characters of an answer
MOST_INPUT_TEXT = 20_000  # of all inputs together
MOST_INPUTS = 8
BETWEEN = "---"  # the line between two inputs
MOST_INDENT = 20
_PLACED = re.compile(r"(\d{1,4})(?:@(\d{1,2}))?")
_BETWEEN = re.compile(rf"^{BETWEEN}-*[ \t]*$", re.MULTILINE)
_MEND = re.compile(r"\s*(\d{1,4})\s*(?::(.*))?", re.DOTALL)


class AnswerError(UsageError):
    """What was typed is no answer to the item; `wrong` says why in any language."""

    def __init__(self, wrong: Text) -> None:
        super().__init__(wrong)
        self.wrong = wrong

    def sentence(self, words: Catalogue) -> str:
        """Returns what is wrong and what to type instead."""
        return said(self.wrong, words)


def read(item: Item, texts: Sequence[str]) -> Given:
    """Returns the answer in some texts: one for each blank, else one. Raises `AnswerError`."""
    due = len(item.blanks) if isinstance(item, Fill) else 1
    if len(texts) != due:
        wrong = T_("%(item)s takes %(due)d answers; there are %(count)d")
        raise AnswerError(Text(wrong.pattern, {"item": item.id, "due": due, "count": len(texts)}))
    limit = MOST_INPUT_TEXT if isinstance(item, Beat) else MOST_TEXT
    if any(len(text) > limit for text in texts):
        raise AnswerError(T_("the answer is longer than %(limit)d characters", limit=limit))
    match item:
        case Arrange():
            return _placed(item, texts[0])
        case Fill():
            return tuple(map(_expression, texts))
        case Bug():
            return _line(item, texts[0])
        case PredictShape():
            return _shape(texts[0])
        case PredictRow():
            return _number(texts[0], len(item.choices))
        case Beat():
            return _inputs(texts[0])


def _placed(item: Arrange, text: str) -> tuple[Placed, ...]:
    placed: list[Placed] = []
    for word in text.replace(",", " ").split():
        match = _PLACED.fullmatch(word)
        if match is None or int(match[2] or 0) > MOST_INDENT:
            raise AnswerError(
                T_(
                    "'%(text)s' is not a valid line; write the numbers of lines in order, such as"
                    " 3 1 2, or 3@1 to set the indentation of line 3 to one level",
                    text=word,
                )
            )
        number = _number(match[1], len(item.pool))
        if number in (each.number for each in placed):
            raise AnswerError(T_("line %(line)d is there twice; use each line once", line=number))
        level = item.pool[number - 1].indent if match[2] is None else int(match[2])
        placed.append(Placed(number, level))
    return tuple(placed)


def _expression(text: str) -> str:
    try:
        ast.parse(f"({text})", mode="eval")
        ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise AnswerError(
            T_("'%(text)s' is not a Python expression; write what stands in the blank", text=text)
        ) from None
    return text.strip()


def _line(item: Bug, text: str) -> int | Mend:
    match = _MEND.fullmatch(text)
    if match is None:
        raise AnswerError(
            T_(
                "'%(text)s' is not a valid line; write its number, or NUMBER: and the line mended",
                text=text,
            )
        )
    number = _number(match[1], len(item.program))
    return number if match[2] is None else Mend(number, match[2].strip())


def _shape(text: str) -> tuple[int, ...]:
    words = text.strip("()[] \n").replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() and len(word) < 10 for word in words):
        raise AnswerError(
            T_("'%(text)s' is not a valid shape; write whole numbers, such as 2 3 4", text=text)
        )
    return tuple(map(int, words))


def _inputs(text: str) -> tuple[str, ...]:
    """The inputs between the lines of hyphens."""
    inputs = tuple(part.strip() for part in _BETWEEN.split(text) if part.strip())
    if not inputs:
        raise AnswerError(T_("there are no inputs yet; write one assignment for each argument"))
    if len(inputs) > MOST_INPUTS:
        raise AnswerError(
            T_(
                "there are %(count)d inputs; at most %(most)d are taken",
                count=len(inputs),
                most=MOST_INPUTS,
            )
        )
    return inputs


def _number(text: str, most: int) -> int:
    plain = text.strip()
    number = int(plain) if plain.isascii() and plain.isdigit() and len(plain) < 5 else 0
    if not 1 <= number <= most:
        raise AnswerError(
            T_("'%(text)s' is not a number from 1 to %(most)d", text=plain, most=most)
        )
    return number
