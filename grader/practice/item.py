"""The steps of practice and what is answered, as values.

An item holds its own solution. What a learner may see of it is `shown.public`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from grader.findings.finding import Finding
from grader.model import Framework, Verdict
from grader.practice.lines import Lines


class Step(StrEnum):
    """What a learner does with an item."""

    PREDICT = "predict"
    ARRANGE = "arrange"
    FILL = "fill"
    BUG = "bug"
    BEAT = "beat"


@dataclass(frozen=True, slots=True)
class Arrange:
    """Lines to put in order between those that are given; some of them belong nowhere."""

    id: str
    framework: Framework
    before: Lines
    pool: Lines  # shuffled
    after: Lines
    right: tuple[int, ...]  # places in the pool, one of the right orders
    distractors: Mapping[int, str]  # the known mistake that a line of the pool makes

    step = Step.ARRANGE


@dataclass(frozen=True, slots=True)
class Blank:
    """An expression that is left out: the characters from `start` to `end` of a line's text."""

    line: int
    start: int
    end: int
    right: str
    wrong: Mapping[str, str]  # the expression that a known mistake has there, by its name


@dataclass(frozen=True, slots=True)
class Fill:
    """A program with expressions left out."""

    id: str
    framework: Framework
    program: Lines
    blanks: tuple[Blank, ...]

    step = Step.FILL


@dataclass(frozen=True, slots=True)
class Bug:
    """A program with a mistake in one line, and a public case that it fails."""

    id: str
    framework: Framework
    program: Lines
    case: str
    findings: tuple[Finding, ...]
    mistake: str
    line: int  # counted from 1
    right: str  # the text of that line in the reference

    step = Step.BUG


@dataclass(frozen=True, slots=True)
class PredictShape:
    """A sample whose result has a shape that is asked for."""

    id: str
    framework: Framework
    case: str
    tensor: str
    shapes: Mapping[str, tuple[int, ...]]  # of the inputs
    options: Mapping[str, object]
    right: tuple[int, ...]

    step = Step.PREDICT


@dataclass(frozen=True, slots=True)
class PredictRow:
    """A row of a sample's result, among rows that known mistakes give in its place."""

    id: str
    framework: Framework
    case: str
    tensor: str
    place: tuple[int, ...]  # of the row: an index for each axis but the last
    choices: tuple[tuple[str, ...], ...]  # numbers as they are shown
    right: int  # a place in `choices`
    mistakes: Mapping[int, str]  # the known mistake that gives a choice

    step = Step.PREDICT


@dataclass(frozen=True, slots=True)
class Beat:
    """Known mistakes, told by their numbers, that inputs are to be written for."""

    id: str
    framework: Framework
    mistakes: tuple[str, ...]
    example: str  # inputs to begin with
    right: tuple[str, ...]  # inputs on which together every mistake fails

    step = Step.BEAT


Item = Arrange | Fill | Bug | PredictShape | PredictRow | Beat


@dataclass(frozen=True, slots=True)
class Placed:
    """A line of the pool, counted from 1, at a level of indentation."""

    number: int
    indent: int


@dataclass(frozen=True, slots=True)
class Mend:
    """A line of a program, counted from 1, with its new text."""

    line: int
    text: str


# For `Arrange`: placed lines. `Fill`: an expression for each blank. `Bug`: a line, or how it is
# mended. `PredictShape`: the shape. `PredictRow`: a choice, counted from 1. `Beat`: inputs, each as
# text.
Given = tuple[Placed, ...] | tuple[str, ...] | tuple[int, ...] | int | Mend


@dataclass(frozen=True, slots=True)
class Hint:
    """What a teacher says to a known mistake, in English (see `Translator.hint`)."""

    mistake: str
    text: str


# For each of the inputs, for each mistake: does it fail there?
Kills = tuple[tuple[bool, ...], ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """Whether an answer is right, and what helps if it is not.

    `verdict` is the judge's, where the answer makes a program. `kills` is the kill matrix of
    inputs, and `hints` has the hint of each mistake, None for one that no input shows.
    """

    right: bool
    hint: Hint | None = None
    verdict: Verdict | None = None
    kills: Kills = ()
    hints: tuple[Hint | None, ...] = ()
