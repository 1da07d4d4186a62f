"""Reads a TOML table key by key; each error names the file, the key and the remedy.

A model of pydantic would say the same in fewer lines, but importing pydantic would make `grade run`
a fifth slower: see docs/design/libraries.md.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from grader.errors import ProblemError
from grader.problem.spelling import closest, did_you_mean

_REQUIRED = object()


class Table:
    """A TOML table that is read key by key; `reject_unknown` refuses every key not read by then.

    Every method that reads a key raises `ProblemError`, also when a key without a default is
    missing.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        path: Path,
        label: str = "",
        manual: str = "docs/problem-format.md",
    ) -> None:
        self.values, self.path, self.label, self._manual = values, path, label, manual
        self._known: list[str] = []

    def where(self, key: str) -> str:
        """Returns the place of a key, as errors begin with it."""
        return f"{self.path}: {self._prefix()}'{key}'"

    def value(self, key: str, default: Any = _REQUIRED) -> Any:
        """Returns a value of any type."""
        self._known.append(key)
        value = self.values.get(key, default)
        if value is _REQUIRED:
            raise ProblemError(f"{self.where(key)} is missing{self._misspelt(key)}")
        return value

    def string(self, key: str, default: Any = _REQUIRED, choices: Iterable[str] = ()) -> str:
        """Returns a string, which must be one of the choices where there are any."""
        value = self._typed(key, default, str, "a string")
        self._check_choice(f"{self.where(key)} is", value, list(choices))
        return str(value)

    def strings(
        self, key: str, default: Any = _REQUIRED, choices: Iterable[str] = ()
    ) -> tuple[str, ...]:
        """Returns a list of strings, each one of the choices where there are any."""
        value = self.value(key, default)
        if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
            raise ProblemError(f"{self.where(key)} must be a list of strings")
        known = list(choices)
        for item in value:
            self._check_choice(f"{self.where(key)} has", item, known)
        return tuple(value)

    def integer(self, key: str, default: Any = _REQUIRED) -> int:
        """Returns an integer."""
        return int(self._typed(key, default, int, "an integer"))

    def number(self, key: str, default: Any = _REQUIRED) -> float | int | None:
        """Returns an integer or a float; None only as the default."""
        value = self.value(key, default)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise ProblemError(f"{self.where(key)} is {value!r}; it must be a number")
        return value

    def boolean(self, key: str, default: Any = _REQUIRED) -> bool:
        """Returns True or False."""
        return bool(self._typed(key, default, bool, "true or false"))

    def table(self, key: str, default: Any = _REQUIRED) -> "Table":
        """Returns a table inside this one."""
        label = f"{self.label + ' ' if self.label else ''}[{key}]"
        return Table(self._typed(key, default, dict, "a table"), self.path, label, self._manual)

    def reject_unknown(self) -> None:
        """Raises `ProblemError` for a key that nothing has read, with the one probably meant."""
        for key in self.values:
            if key not in self._known:
                remedy = did_you_mean(key, self._known) or f"; {self._manual} has them all"
                raise ProblemError(f"{self.path}: {self._prefix()}unknown key '{key}'{remedy}")

    def _misspelt(self, key: str) -> str:
        """Returns what to do about a missing key: correct one that was probably meant as it."""
        # `title_zh` is no misspelt `title`
        others = [k for k in self.values if k not in self._known and not k.startswith(f"{key}_")]
        close = closest(key, others)
        return f"; correct '{close}'" if close else f"; see {self._manual}"

    def _prefix(self) -> str:
        return f"{self.label}: " if self.label else ""

    def _check_choice(self, place: str, value: str, known: list[str]) -> None:
        if known and value not in known:
            raise ProblemError(
                f"{place} '{value}'{did_you_mean(value, known)}; choose from {', '.join(known)}"
            )

    def _typed(self, key: str, default: Any, kind: type, name: str) -> Any:
        value = self.value(key, default)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise ProblemError(f"{self.where(key)} is {value!r}; it must be {name}")
        return value
