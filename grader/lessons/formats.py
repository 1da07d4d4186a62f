"""Numbers and short arrays of a lesson as its text says them."""

from typing import Any

from grader.errors import ProblemError

MOST = 32  # numbers of an array inside a sentence


def formatted(name: str, value: Any, form: str = "") -> str:
    """Returns a value as text. Raises `ProblemError` for what fits no sentence."""
    if type(value) is list:
        if _count(value) > MOST:
            raise ProblemError(
                f"'{name}' has {_count(value)} numbers; a sentence has room for {MOST}, so show a"
                " figure"
            )
        return f"[{', '.join(formatted(name, each, form) for each in value)}]"
    if value is None or type(value) is dict:
        raise ProblemError(f"'{name}' is {type(value).__name__}; a sentence shows numbers")
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
        raise ProblemError(f"'{name}' is {value!r}; it has no format '{form}'") from None
