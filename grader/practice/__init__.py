"""Small steps on the way to a program: its lines to arrange, blanks to fill, a mistake to find, a
result to predict; and at the end, inputs that tell right programs from wrong ones.

Each step is made of what the bank holds: references, known mistakes and public cases. It may know
the judge, which judges every answer that is a program. docs/design/practice.md has the reasons.
"""

from grader.practice.answering import answer
from grader.practice.item import (
    Answered,
    Arrange,
    Beat,
    Bug,
    Fill,
    Given,
    Hint,
    Item,
    Mend,
    Placed,
    PredictRow,
    PredictShape,
    Step,
)
from grader.practice.making import find, items
from grader.practice.reading import AnswerError, read

__all__ = [
    "AnswerError",
    "Answered",
    "Arrange",
    "Beat",
    "Bug",
    "Fill",
    "Given",
    "Hint",
    "Item",
    "Mend",
    "Placed",
    "PredictRow",
    "PredictShape",
    "Step",
    "answer",
    "find",
    "items",
    "read",
]
