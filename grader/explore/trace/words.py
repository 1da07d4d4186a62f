"""Puts the first wrong step into words."""

from collections.abc import Mapping
from typing import Any

from grader.explore.trace.relations import Relation
from grader.explore.trace.wrong import WrongStep
from grader.findings.catalogue import N_, Catalogue, catalogue
from grader.findings.codes import Place
from grader.findings.finding import details, plain_details
from grader.findings.sentences import places_text

NAMED = N_("`%(step)s` of the reference")
UNNAMED = N_("a value on the way to `%(step)s` of the reference")
WHAT: Mapping[Relation, str] = {
    Relation.FACTOR: N_("%(value)s, but %(factor)s times what it should be"),
    Relation.OFFSET: N_("%(value)s, but every entry is off by %(factor)s"),
    Relation.OPPOSITE: N_("the opposite of %(value)s"),
    Relation.OTHERS_HIDDEN: N_("%(value)s, but other entries are hidden%(where)s"),
    Relation.PARTLY: N_("%(value)s, but some entries are wrong%(where)s"),
    Relation.REORDERED: N_("%(value)s, but its entries are in another order"),
    Relation.TRANSPOSED: N_("%(value)s, but transposed"),
    Relation.AXES_MOVED: N_("%(value)s, but its axes are in another order"),
    Relation.RESHAPED: N_("%(value)s, but in another shape"),
    Relation.ROUNDED: N_("%(value)s, but with the digits of float32 only"),
    Relation.CHANGED_INPUT: N_("changes the argument `%(step)s`, which is the caller's"),
    Relation.OTHER_VALUE: N_("%(value)s is another number"),
    Relation.STILL: N_("still the values of %(value)s: the step after it is missing"),
    Relation.ROWS_SCALED: N_("%(value)s, but each row is multiplied by a number of its own"),
    Relation.EXCHANGED: N_("it has the values of %(value)s"),
    Relation.DETACHED: N_("its values are right, but no gradient flows back from here"),
    Relation.RAISED: N_("the call ended here with an exception"),
    Relation.RETURNED: N_(
        "every step is right; look at what is returned: which values, in which order, of which"
        " shape and dtype"
    ),
    Relation.SLIGHT: N_(
        "every step is right to four digits; what is wrong is smaller (an epsilon, a rounding, a"
        " bound), or does not show here (an argument that changes, a second call)"
    ),
    Relation.UNKNOWN: N_("the reference has no such value; from here on the two differ"),
}
PLACE = N_("line %(line)d, `%(variable)s`: %(what)s")
LINE = N_("line %(line)d: %(what)s")
FOLLOWS = N_("%(sentence)s; what comes after it follows from it")
GUESS = N_("%(sentence)s (a guess: the reference may take other steps)")
UP_TO = N_("line %(line)d is right; %(sentence)s")


def wrong_step_text(wrong: WrongStep, words: Catalogue | None = None) -> str:
    """What is said of the first wrong step; in English without a catalogue."""
    words = words or catalogue("en")
    value = words.gettext(UNNAMED if wrong.on_the_way else NAMED) % {"step": wrong.intermediate}
    clause = words.gettext(WHAT[wrong.relation]) % {
        "step": wrong.intermediate,
        "value": value,
        "factor": _number(wrong),
        "where": places_text(wrong.places, words),
    }
    place = words.gettext(PLACE if wrong.variable else LINE)
    sentence = place % {
        "line": wrong.line,
        "variable": wrong.variable,
        "what": clause,
    }
    sentence = words.gettext(GUESS if wrong.guess else FOLLOWS) % {"sentence": sentence}
    if wrong.last_right:
        sentence = words.gettext(UP_TO) % {"line": wrong.last_right, "sentence": sentence}
    return sentence


def _number(wrong: WrongStep) -> str:
    """`2.83 = √8 = √D`."""
    if wrong.factor is None:
        return ""
    sign = "+" if wrong.relation is Relation.OFFSET else ""
    digits = 6 if f"{wrong.factor:.3g}" == "1" else 3
    return " = ".join(filter(None, [f"{wrong.factor:{sign}.{digits}g}", wrong.root, wrong.letter]))


def wrong_step_json(wrong: WrongStep) -> dict[str, Any]:
    """The first wrong step as plain JSON types, with its English sentence."""
    return {
        "step": wrong.step,
        "line": wrong.line,
        "variable": wrong.variable,
        "function": wrong.function,
        "relation": str(wrong.relation),
        "intermediate": wrong.intermediate,
        "on_the_way": wrong.on_the_way,
        "factor": wrong.factor,
        "root": wrong.root,
        "letter": wrong.letter,
        "places": plain_details(wrong.places),
        "last_right_line": wrong.last_right,
        "guess": wrong.guess,
        "message": wrong_step_text(wrong),
    }


def wrong_step_from_json(data: Mapping[str, Any]) -> WrongStep:
    """What `wrong_step_json` made of it, read back. Raises `ValueError` and `KeyError`."""
    return WrongStep(
        step=data["step"],
        line=data["line"],
        variable=data["variable"],
        function=data["function"],
        relation=Relation(data["relation"]),
        intermediate=data["intermediate"],
        on_the_way=data["on_the_way"],
        factor=data["factor"],
        root=data["root"],
        letter=data["letter"],
        places=details(data["places"], Place),
        last_right=data["last_right_line"],
    )
