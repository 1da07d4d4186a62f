"""Numbers and short arrays of a lesson as its text says them."""

from typing import Any

from grader.errors import ProblemError
from grader.findings.text import T_

MOST = 32  # numbers of an array inside a sentence


def formatted(name: str, value: Any, form: str = "") -> str:
    """Returns a value as text. Raises `ProblemError` for what fits no sentence."""
    if type(value) is list:
        if _count(value) > MOST:
            words = T_(
                "'%(name)s' has %(count)d numbers; a sentence has room for %(most)d, so show a"
                " figure",
                name=name,
                count=_count(value),
                most=MOST,
            )
            raise ProblemError(words)
        return f"[{', '.join(formatted(name, each, form) for each in value)}]"
    if value is None or type(value) is dict:
        kind = type(value).__name__
        raise ProblemError(
            T_("'%(name)s' is %(type)s; a sentence shows numbers", name=name, type=kind)
        )
    return _number(name, value, form)


def _count(value: Any) -> int:
    return sum(map(_count, value)) if type(value) is list else 1


def _number(name: str, value: Any, form: str) -> str:
    if type(value) is str:
        return {"inf": "∞", "-inf": "−∞"}.get(value, value)
    try:
        if not form:
            return f"{value:.4g}" if type(value) is float else str(value)
        return format(value, form)
    except ValueError:
        words = T_(
            "'%(name)s' is %(value)s; it has no format '%(format)s'",
            name=name,
            value=repr(value),
            format=form,
        )
        raise ProblemError(words) from None
