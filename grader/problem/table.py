"""Reads a TOML table key by key; each error names the file, the key and the remedy.

A model of pydantic would say the same in fewer lines, but importing pydantic would make `grade run`
a fifth slower: see docs/design/libraries.md.
"""

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from grader.errors import ProblemError
from grader.findings.catalogue import N_
from grader.findings.text import T_, Text
from grader.problem.spelling import closest, did_you_mean

_REQUIRED = object()
IS = N_("%(key)s is '%(value)s'%(meant)s; choose from %(known)s")
HAS = N_("%(key)s has '%(value)s'%(meant)s; choose from %(known)s")


class Table:
    """A TOML table that is read key by key; `reject_unknown` refuses every key not read by then.

    Every method that reads a key raises `ProblemError`, also when a key without a default is
    missing.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        path: Path,
        label: Text | str = "",
        manual: str = "docs/problem-format.md",
    ) -> None:
        self.values, self.path, self.label, self._manual = values, path, label, manual
        self._known: list[str] = []

    @property
    def place(self) -> Text | str:
        """The file and the table in it, as errors begin with them."""
        path = str(self.path)
        return T_("%(path)s: %(label)s", path=path, label=self.label) if self.label else path

    def where(self, key: str) -> Text:
        """Returns the place of a key, as errors begin with it."""
        return T_("%(place)s: '%(key)s'", place=self.place, key=key)

    def value(self, key: str, default: Any = _REQUIRED) -> Any:
        """Returns a value of any type."""
        self._known.append(key)
        value = self.values.get(key, default)
        if value is _REQUIRED:
            raise ProblemError(self._missing(key))
        return value

    def string(self, key: str, default: Any = _REQUIRED, choices: Iterable[str] = ()) -> str:
        """Returns a string, which must be one of the choices where there are any."""
        value = self._typed(key, default, str, N_("a string"))
        self._check_choice(IS, key, value, list(choices))
        return str(value)

    def strings(
        self, key: str, default: Any = _REQUIRED, choices: Iterable[str] = ()
    ) -> tuple[str, ...]:
        """Returns a list of strings, each one of the choices where there are any."""
        value = self.value(key, default)
        if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
            raise ProblemError(T_("%(key)s must be a list of strings", key=self.where(key)))
        known = list(choices)
        for item in value:
            self._check_choice(HAS, key, item, known)
        return tuple(value)

    def integer(self, key: str, default: Any = _REQUIRED) -> int:
        """Returns an integer."""
        return int(self._typed(key, default, int, N_("an integer")))

    def number(self, key: str, default: Any = _REQUIRED) -> float | int | None:
        """Returns an integer or a float; None only as the default."""
        value = self.value(key, default)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise self._mistyped(key, value, N_("a number"))
        if isinstance(value, float) and not math.isfinite(value):
            raise self._mistyped(key, value, N_("a finite number"))
        return value

    def boolean(self, key: str, default: Any = _REQUIRED) -> bool:
        """Returns True or False."""
        return bool(self._typed(key, default, bool, N_("true or false")))

    def table(self, key: str, default: Any = _REQUIRED) -> "Table":
        """Returns a table inside this one."""
        label = Text("%(label)s [%(key)s]", {"label": self.label, "key": key})
        values = self._typed(key, default, dict, N_("a table"))
        return Table(values, self.path, label if self.label else f"[{key}]", self._manual)

    def reject_unknown(self) -> None:
        """Raises `ProblemError` for a key that nothing has read, with the one probably meant."""
        for key in self.values:
            if key not in self._known:
                known = did_you_mean(key, self._known)
                remedy = known or T_("; %(manual)s has them all", manual=self._manual)
                words = T_(
                    "%(place)s: unknown key '%(key)s'%(remedy)s",
                    place=self.place,
                    key=key,
                    remedy=remedy,
                )
                raise ProblemError(words)

    def _missing(self, key: str) -> Text:
        """What to do about a missing key: correct one that was probably meant as it."""
        # `title_zh` is no misspelt `title`
        others = [k for k in self.values if k not in self._known and not k.startswith(f"{key}_")]
        close = closest(key, others)
        if close:
            return T_("%(key)s is missing; correct '%(close)s'", key=self.where(key), close=close)
        return T_("%(key)s is missing; see %(manual)s", key=self.where(key), manual=self._manual)

    def _check_choice(self, pattern: str, key: str, value: str, known: list[str]) -> None:
        if known and value not in known:
            words = T_(
                pattern,
                key=self.where(key),
                value=value,
                meant=did_you_mean(value, known),
                known=", ".join(known),
            )
            raise ProblemError(words)

    def _typed(self, key: str, default: Any, kind: type, name: str) -> Any:
        value = self.value(key, default)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self._mistyped(key, value, name)
        return value

    def _mistyped(self, key: str, value: Any, name: str) -> ProblemError:
        words = T_(
            "%(key)s is %(value)s; it must be %(kind)s",
            key=self.where(key),
            value=repr(value),
            kind=Text(name),
        )
        return ProblemError(words)
