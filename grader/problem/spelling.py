"""Suggests the known word that was probably meant."""

import difflib
from collections.abc import Iterable

from grader.findings.text import T_, Text


def closest(word: str, known: Iterable[str]) -> str:
    """Returns the known word that is closest, or an empty string where none is close."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return close[0] if close else ""


def did_you_mean(word: str, known: Iterable[str]) -> Text | str:
    """Returns ` (did you mean 'x'?)` when a known word is close, else an empty string."""
    close = closest(word, known)
    return T_(" (did you mean '%(word)s'?)", word=close) if close else ""
