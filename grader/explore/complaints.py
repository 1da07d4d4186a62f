"""What can be wrong with inputs that somebody writes: codes and parameters, and their sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from grader.errors import UsageError
from grader.findings.catalogue import ENGLISH, N_, Catalogue, catalogue
from grader.findings.text import Text, said
from grader.inside.expressions import Fault


class Wrong(StrEnum):
    """What is wrong with inputs that could be read."""

    UNKNOWN = "unknown"
    MISSING = "missing"
    UNSURE = "unsure"
    NOT_AN_ARRAY = "not_an_array"
    NOT_A_NUMBER = "not_a_number"
    DTYPE = "dtype"
    TYPE = "type"
    MIXED = "mixed"
    SHAPE = "shape"
    AXIS = "axis"
    SIZE = "size"
    NUMBER = "number"
    NOT_FINITE = "not_finite"
    NEGATIVE = "negative"
    EMPTY_ROW = "empty_row"
    TIED = "tied"
    AT_MOST = "at_most"
    DIVIDES = "divides"
    TOO_MANY_NUMBERS = "too_many_numbers"
    REFUSED = "refused"
    NO_ANSWER = "no_answer"
    NOTHING_DRAWN = "nothing_drawn"
    NO_SUCH_CASE = "no_such_case"
    HIDDEN_CASE = "hidden_case"
    NESTED = "nested"


TEMPLATES: Mapping[str, str] = {
    Fault.SYNTAX: N_("line %(line)s is not Python: %(text)s; write NAME = EXPRESSION"),
    Fault.NOT_AN_ASSIGNMENT: N_(
        "line %(line)s is not an assignment; write one argument a line, such as q = np.ones((2, 3))"
    ),
    Fault.NOT_SIMPLE: N_(
        "line %(line)s: %(name)s is more than a simple expression; use numbers, lists, np and rng,"
        " without lambda and names that begin with _"
    ),
    Fault.TOO_MANY: N_("there are more than %(limit)s assignments; write one for each argument"),
    Fault.RAISED: N_("line %(line)s: %(name)s cannot be worked out: %(error)s: %(text)s"),
    Fault.NOT_A_VALUE: N_(
        "line %(line)s: %(name)s is not a regular array of numbers (%(type)s); give numbers, lists"
        " of equal length or arrays of booleans, integers or floats"
    ),
    Fault.TOO_LARGE: N_("%(name)s is too large; write smaller inputs"),
    Fault.TOO_MUCH_MEMORY: N_("the inputs take too much memory; write smaller ones"),
    Fault.TOO_LONG: N_(
        "the inputs were not worked out within %(seconds)s s; write simpler expressions"
    ),
    Fault.UNREADABLE: N_("the inputs cannot be worked out; write simpler expressions"),
    Wrong.UNKNOWN: N_("there is no argument '%(name)s'; there are %(known)s"),
    Wrong.MISSING: N_("the argument '%(name)s' is missing; add a line %(name)s = …"),
    Wrong.UNSURE: N_(
        "these arguments fit none of %(known)s; give all arguments of one of them, and no other"
    ),
    Wrong.NOT_AN_ARRAY: N_("%(name)s is one value, not an array; write a list or an array"),
    Wrong.NOT_A_NUMBER: N_("%(name)s is an array; give a single value"),
    Wrong.DTYPE: N_("%(name)s is %(dtype)s; this problem takes %(known)s"),
    Wrong.TYPE: N_("%(name)s is %(type)s; give %(known)s"),
    Wrong.MIXED: N_("the floats are %(known)s; give all of them one dtype"),
    Wrong.SHAPE: N_("%(name)s has shape %(shape)s; give it the axes %(forms)s"),
    Wrong.AXIS: N_(
        "%(name)s has length %(size)s along axis %(letter)s (number %(axis)s of %(count)s); give it"
        " length %(due)s there: its shape is %(shape)s, and this problem takes %(forms)s"
    ),
    Wrong.SIZE: N_("%(letter)s is %(size)s; it must be at least %(least)s"),
    Wrong.NUMBER: N_("%(name)s is %(value)s; give a whole number from %(least)s to %(most)s"),
    Wrong.NOT_FINITE: N_("%(name)s%(at)s is infinite or NaN; give a finite number"),
    Wrong.NEGATIVE: N_("%(name)s%(at)s is negative; this problem takes none below 0"),
    Wrong.EMPTY_ROW: N_(
        "%(name)s%(at)s hides every key; this problem leaves each query one that it sees"
    ),
    Wrong.TIED: N_("%(name)s is %(value)s; with these inputs it is %(due)s"),
    Wrong.AT_MOST: N_("%(a)s is more than %(b)s; it is at most that in this problem"),
    Wrong.DIVIDES: N_("%(b)s cannot be divided evenly by %(a)s"),
    Wrong.TOO_MANY_NUMBERS: N_(
        "the inputs hold %(count)s numbers; at most %(limit)s are taken, so write smaller ones"
    ),
    Wrong.REFUSED: N_(
        "the reference gives no answer to these inputs (%(error)s), so they are outside of what the"
        " statement allows"
    ),
    Wrong.NO_ANSWER: N_(
        "the reference has no sure answer to these inputs: a number is not finite, or hangs on the"
        " last digit of another; write smaller or rounder numbers"
    ),
    Wrong.NOTHING_DRAWN: N_(
        "%(problem)s is always asked with the same inputs, so the answers to your own would give"
        " the solution away"
    ),
    Wrong.NO_SUCH_CASE: N_(
        "%(problem)s has no case '%(name)s'; those that can be looked into are %(known)s"
    ),
    Wrong.HIDDEN_CASE: N_(
        "%(problem)s: nothing is drawn in the hidden case '%(name)s', so it has no public inputs"
        " that could be shown"
    ),
    Wrong.NESTED: N_(
        "%(problem)s takes lists or tables of arrays, which cannot be written here; change a case"
        " that `grade twin` prints instead"
    ),
}


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that is wrong with inputs: a code and its parameters."""

    code: Fault | Wrong
    parameters: Mapping[str, Any]

    def sentence(self, texts: Catalogue | None = None) -> str:
        """Returns what, where and what to do, in the language of a catalogue."""
        return said(self.text, texts or catalogue(ENGLISH))

    @property
    def text(self) -> Text:
        """The same sentence in no language yet."""
        known = {"line": "?", "name": "?", "text": "", "error": ""}
        given = {name: str(value) for name, value in self.parameters.items()}
        return Text(TEMPLATES[self.code], known | given)


def complaint(code: Fault | Wrong, **parameters: Any) -> Complaint:
    """Returns a complaint with these parameters."""
    return Complaint(code, parameters)


class InputError(UsageError):
    """The inputs, or the case that was named, cannot be used; `complaint` says why as data."""

    def __init__(self, wrong: Complaint) -> None:
        super().__init__(wrong.text)
        self.complaint = wrong
