"""The first wrong step of a program, as a value.

A step is right when it has the values of a step of the reference, whatever the order of its axes.
A step that the reference does not have is no mistake as long as something right is made of it. The
first other step that a wrong result is made of is the first wrong step. See docs/design/trace.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from grader.comparison.patterns import root
from grader.comparison.places import Context, where
from grader.explore.trace.blame import blamed
from grader.explore.trace.comparison import Comparison
from grader.explore.trace.relations import Relation
from grader.findings.finding import Detail

SURE = (
    Relation.FACTOR,
    Relation.OFFSET,
    Relation.OPPOSITE,
    Relation.OTHERS_HIDDEN,
    Relation.PARTLY,
    Relation.ROUNDED,
    Relation.CHANGED_INPUT,
    Relation.OTHER_VALUE,
    Relation.DETACHED,
    Relation.RAISED,
)
POWERS = (("√{}", 0.5), ("1/√{}", -0.5), ("{}", 1.0), ("1/{}", -1.0))


@dataclass(frozen=True, slots=True)
class WrongStep:
    """Where a program goes wrong first.

    `step` is its number in the trace; -1 where no step is to blame but the line itself.
    `intermediate` names the step of the reference that it should be, or "", and `on_the_way` says
    that it should be a value without a name that goes into that step. `last_right` is the
    line of the last step before it that is right, or 0. `letter` has the factor in the letters of
    the problem, such as "√D".
    """

    step: int
    line: int
    variable: str
    function: str
    relation: Relation
    intermediate: str = ""
    on_the_way: bool = False
    factor: float | None = None
    root: str = ""
    letter: str = ""
    places: tuple[Detail, ...] = ()
    last_right: int = 0

    @property
    def is_step(self) -> bool:
        """Is it a step that went wrong, and not the place where a right program ends otherwise?"""
        return self.relation not in (Relation.RETURNED, Relation.SLIGHT, Relation.RAISED)

    @property
    def is_hint(self) -> bool:
        """May it be told as the place of a known mistake? Not where the reference has nothing like
        it, and the program may only have taken other steps.
        """
        return self.relation not in (Relation.RETURNED, Relation.SLIGHT, Relation.UNKNOWN)

    @property
    def guess(self) -> bool:
        """Is it only the likeliest place?"""
        return self.relation not in SURE


def first_wrong(
    comparison: Comparison, letters: Mapping[str, int], context: Context, gradients: bool = False
) -> WrongStep | None:
    """The first wrong step of a program whose result is wrong; None where nothing can be said."""
    suspect = blamed(comparison, gradients)
    if suspect is None:
        if not comparison.raised:
            return None
        last = comparison.last_right(len(comparison.steps), comparison.raised)
        return WrongStep(-1, comparison.raised, "", "", Relation.RAISED, last_right=last)
    number, match = suspect
    step = comparison.steps[number]
    relation = match.relation if match else Relation.UNKNOWN
    by = match.by if match and relation in (Relation.FACTOR, Relation.OFFSET) else None
    factor = by if relation is Relation.FACTOR else None
    wrong = match.wrong if match else None
    return WrongStep(
        step=number,
        line=step.line,
        variable=step.name,
        function=step.function,
        relation=relation,
        intermediate=match.known.name if match else "",
        on_the_way=match is not None and not match.known.named,
        factor=by,
        root=root(factor) if factor else "",
        letter=_letter(factor, letters) if factor else "",
        places=where(wrong, (), context) if isinstance(wrong, np.ndarray) else (),
        last_right=comparison.last_right(number, step.line),
    )


def _letter(factor: float, letters: Mapping[str, int]) -> str:
    """`√D` where the root of a declared size is the factor."""
    for form, power in POWERS:
        for letter, size in letters.items():
            if size > 1 and abs(abs(factor) / size**power - 1) < 1e-3:
                return form.format(letter)
    return ""
