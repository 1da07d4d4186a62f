"""What a learner may see of an item, and of an answer: plain JSON types, without the solution."""

from collections.abc import Sequence
from typing import Any

from grader.findings.sentences import findings_json
from grader.practice.item import (
    Answered,
    Arrange,
    Beat,
    Bug,
    Fill,
    Hint,
    Item,
    PredictRow,
    PredictShape,
)
from grader.practice.lines import Line, Lines

BLANK = "____"


def public(item: Item) -> dict[str, Any]:
    """Returns the question of an item."""
    known = {"id": item.id, "step": str(item.step), "framework": str(item.framework)}
    return known | _question(item)


def _question(item: Item) -> dict[str, Any]:
    match item:
        case Arrange():
            parts = {"before": item.before, "pool": item.pool, "after": item.after}
            return {name: _lines(lines) for name, lines in parts.items()}
        case Fill():
            return {"program": _lines(with_blanks(item)), "blanks": len(item.blanks)}
        case Bug():
            return {
                "program": _lines(item.program),
                "case": item.case,
                "findings": findings_json(item.findings),
            }
        case PredictShape():
            return {
                "case": item.case,
                "tensor": item.tensor,
                "shapes": {name: list(shape) for name, shape in item.shapes.items()},
                "options": dict(item.options),
            }
        case PredictRow():
            return {
                "case": item.case,
                "tensor": item.tensor,
                "place": list(item.place),
                "choices": [list(choice) for choice in item.choices],
            }
        case Beat():
            return {"mistakes": len(item.mistakes), "example": item.example}


def with_blanks(item: Fill) -> Lines:
    """Returns the program with a mark in the place of each blank."""
    program = list(item.program)
    for blank in sorted(item.blanks, key=lambda each: -each.start):
        line = program[blank.line]
        text = line.text[: blank.start] + BLANK + line.text[blank.end :]
        program[blank.line] = Line(text, line.indent)
    return tuple(program)


def _lines(lines: Sequence[Line]) -> list[dict[str, Any]]:
    return [{"text": line.text, "indent": line.indent} for line in lines]


def result(item: Item, answered: Answered) -> dict[str, Any]:
    """Returns what is said of an answer."""
    verdict = answered.verdict
    told = {
        "id": item.id,
        "right": answered.right,
        "hint": _hint(answered.hint),
        "verdict": None if verdict is None else verdict.to_json(),
    }
    if not answered.kills:
        return told
    hints = [_hint(hint) for hint in answered.hints]
    return told | {"kills": [list(row) for row in answered.kills], "found": hints}


def _hint(hint: Hint | None) -> dict[str, str] | None:
    return None if hint is None else {"mistake": hint.mistake, "text": hint.text}
