"""Puts findings into sentences of one language. Nothing reads a sentence back."""

from collections.abc import Iterable, Mapping
from typing import Any

from grader.findings import phrases
from grader.findings.catalogue import Catalogue, catalogue
from grader.findings.codes import Axis, Came, Code, Pattern, Place
from grader.findings.finding import Detail, Finding, Value, to_json

FORMATS = {
    "largest": ".3g",
    "allowed": ".2g",
    "by": "+.3g",
    "factor": ".3g",
    "least": ".3g",
    "most": ".3g",
    "used_s": ".1f",
    "used_ms": ".0f",
    "limit_ms": ".0f",
}
OWN_LINE = (Code.OVER_MEMORY, Code.RAISED_ANOTHER)  # their templates say the line themselves


def sentence(finding: Finding, words: Catalogue | None = None) -> str:
    """Returns what a finding says; in English without a catalogue."""
    words = words or catalogue("en")
    if finding.bare:
        return words.gettext(phrases.BARE[finding.code])
    text = _template(finding, words) % _values(finding, words)
    if finding.line is not None and finding.code not in OWN_LINE:
        text = words.gettext(phrases.LINE) % {"line": finding.line, "message": text}
    if finding.loading:
        text = words.gettext(phrases.LOADING) % {"message": text}
    return text


def sentences(findings: Iterable[Finding], words: Catalogue | None = None) -> str:
    """Returns what several findings say, one after another."""
    return "; ".join(sentence(finding, words) for finding in findings)


def _template(finding: Finding, words: Catalogue) -> str:
    """Returns the template of a finding, translated, with its values still to be filled in."""
    came = finding.parameters.get("came")
    if finding.code is Code.MISSING and came is not None and came.code is Came.ROWS:
        return words.ngettext(*phrases.ROWS, came.parameters["count"])
    return words.gettext(_variant(finding) or phrases.SENTENCES[finding.code])


def _variant(finding: Finding) -> str:
    """Returns the template that these values need; "" where the code has one only."""
    values = finding.parameters
    match finding.code:
        case Code.MISSING if values["came"] is not None:
            return phrases.MISSING[values["came"].code]
        case Code.WRONG_COUNT if values["came"] and values["came"].code is Came.NOTHING:
            return phrases.NO_VALUES
        case Code.NOT_FINITE if not values["nan"]:
            return phrases.INFINITE
        case Code.VALUES_DIFFER if values["total"] == 1:
            return phrases.ONE_VALUE
        case Code.WRONG_DTYPE if values["expected"] == "int":
            return phrases.INTEGERS
        case Code.WRONG_FRAMEWORK if values["type"] == "numpy.ndarray":
            return phrases.NOT_TORCH
        case Code.NOT_A_MODULE if not values["made"]:
            return phrases.OWN_CLASS
        case Code.PARAMETER_NAMES if not values["unexpected"]:
            return phrases.NAMES_MISSING
        case Code.PARAMETER_NAMES if not values["missing"]:
            return phrases.NAMES_UNEXPECTED
        case Code.NOT_DEFINED if not values["defines"]:
            return phrases.DEFINES_NOTHING
        case Code.RAISED if not values["text"]:
            return "%(type)s"
        case Code.RAISED if values["type"] == "ModuleNotFoundError":
            return phrases.NO_MODULE
        case Code.NO_ANSWER if values["computing"] is not None:
            return phrases.COMPUTING if values["computing"] else phrases.WAITING
        case Code.OVER_MEMORY if finding.line is not None:
            return phrases.MEMORY_AT_LINE
        case Code.OTHER_DTYPE if values["cause"]:
            number = values["cause"] in ("np.sqrt", "np.float64")
            return phrases.OF_A_NUMBER if number else phrases.MADE
    return ""


def _values(finding: Finding, words: Catalogue) -> Mapping[str, Any]:
    """Returns everything that a template may name."""
    given = finding.parameters
    values = {name: _shown(name, value, words) for name, value in given.items()}
    values["line"] = finding.line
    if "scalar" in given:
        plain = phrases.PLAIN[given["scalar"]]
        values["plain"] = words.gettext(plain) % values
    if "kind" in given:
        kind = phrases.KINDS[given["kind"]]
        values["kind"] = words.gettext(kind)
    match finding.code:
        case Code.MISSING if isinstance(given["came"], Detail):
            values |= given["came"].parameters
        case Code.WRONG_COUNT:
            values["names"] = len(given["expected"])
            values["came"] = values["came"] or words.gettext(phrases.SOMETHING)
        case Code.WRONG_SHAPE if given["axes"]:
            values["axes"] = words.gettext(phrases.LETTERS) % {"letters": values["axes"]}
        case Code.VALUES_DIFFER:
            values["size"] = (
                words.gettext(phrases.SIZE) % values if given["largest"] is not None else ""
            )
        case Code.RAISED_ANOTHER | Code.RAISED_IN_DRIVER:
            raised = {name: given[name] for name in ("type", "text")}
            values["message"] = sentence(Finding(Code.RAISED, raised, finding.line), words)
    return values


def _shown(name: str, value: Value, words: Catalogue) -> Any:
    if name == "where":
        return places_text(value, words)
    if isinstance(value, Detail):
        return _detail(value, words)
    if isinstance(value, tuple):
        numbers = name in ("shape", "expected") and all(isinstance(item, int) for item in value)
        return str(value) if numbers else ", ".join(map(str, value))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return format(value, FORMATS.get(name, "g")) if name in FORMATS else _number(value)
    return "" if value is None else value


def _number(value: int | float) -> int | str:
    return value if isinstance(value, int) else f"{value:g}"


def places_text(places: tuple[Detail, ...], words: Catalogue) -> str:
    """Returns where something is, to stand after what it says; "" without places."""
    if not places:
        return ""
    between = words.pgettext(*phrases.NEXT_PLACE)
    return words.pgettext(*phrases.FIRST_PLACE) + between.join(
        _detail(place, words) for place in places
    )


def _detail(told: Detail, words: Catalogue) -> str:
    if told.code not in phrases.DETAILS:
        return ""
    values = {name: _shown(name, value, words) for name, value in told.parameters.items()}
    if "axis" in values:
        values |= _nouns(told, words)
    if told.code is Place.EVERY_NTH:
        values["ordinal"] = _ordinal(told.parameters["step"], words)
    if values.get("factor") in ("1", "-1"):  # next to one, but not one
        values["factor"] = _number(told.parameters["factor"])
    if told.code in (Pattern.FACTOR, Pattern.MULTIPLE) and values["root"]:
        values["factor"] = f"{values['factor']} = {values['root']}"
    return words.gettext(phrases.DETAILS[told.code]) % values


def _nouns(told: Detail, words: Catalogue) -> Mapping[str, str]:
    """Returns the noun of an axis: one, several, as after a number, and what stands for one."""
    axis, number = Axis(told.parameters["axis"]), told.parameters["number"]
    return {
        "axis": words.ngettext(*phrases.NOUNS[axis], 1),
        "axes": words.ngettext(*phrases.NOUNS[axis], 2),
        "counted": words.pgettext(*phrases.COUNTED[axis]),
        "unit": words.pgettext(*phrases.UNITS[axis]),
        "of": "" if number is None else words.gettext(phrases.NUMBERED) % {"number": number},
    }


def _ordinal(step: int, words: Catalogue) -> str:
    if step in phrases.ORDINALS:
        return words.gettext(phrases.ORDINALS[step])
    return words.gettext(phrases.NTH) % {"step": step}


def findings_json(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Returns findings as plain JSON types, each with its English sentence."""
    return [{**to_json(finding), "message": sentence(finding)} for finding in findings]
