"""Finds where a text uses the words that a bank explains."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from grader.lessons.words import Word

# Chinese has no spaces: a word of one character stands alone only between these, or at an edge.
BEFORE = "的和与或个每各所对在是把从由比而"
AFTER = "的和与或都也在是有由从时做上比来要而"
CHINESE = "\u4e00-\u9fff"


@dataclass(frozen=True, slots=True)
class Use:
    """A stretch of a text that says a word."""

    word: Word
    start: int
    end: int


def uses(words: Sequence[Word], text: str, language: str) -> Iterator[Use]:
    """Yields every use of the words in a plain text, from its start to its end.

    English words are found whole and in any case. Where two begin at the same place, the longer
    one counts: a causal mask is no mask. Nothing in `text` is left out: code and formulas must not
    be in it.
    """
    pattern, by_form = _pattern(tuple(words), language)
    if not by_form:
        return
    for match in pattern.finditer(text):
        yield Use(by_form[_plain(match[0])], match.start(), match.end())


@lru_cache(maxsize=8)
def _pattern(words: tuple[Word, ...], language: str) -> tuple[re.Pattern[str], dict[str, Word]]:
    """What finds the words, and the word of each form. The first word keeps a form of two."""
    by_form: dict[str, Word] = {}
    for word in words:
        for form in word.forms(language):
            by_form.setdefault(_plain(form), word)
    longest_first = sorted(by_form, key=len, reverse=True)
    return re.compile("|".join(map(_whole, longest_first)), re.IGNORECASE), by_form


def _whole(form: str) -> str:
    """The expression that finds a form where nothing around it belongs to it."""
    spaced = r"\s+".join(map(re.escape, form.split(" ")))
    if not re.search(f"[{CHINESE}]", form):
        return rf"(?<![A-Za-z0-9_`-]){spaced}(?![A-Za-z0-9_`-])"
    if len(form) > 1:
        return spaced
    return f"(?:(?<![{CHINESE}])|(?<=[{BEFORE}])){spaced}(?:(?![{CHINESE}])|(?=[{AFTER}]))"


def _plain(form: str) -> str:
    return " ".join(form.casefold().split())
