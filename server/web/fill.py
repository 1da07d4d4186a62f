"""Finds the form that a text of the interface fits, for its translation.

Only for texts that are not translated through the catalogue yet.
"""

import re
from collections.abc import Mapping
from functools import cache

LONGEST = 1000  # of a text that is compared with forms: a hostile one makes that quadratic
_SLOT = re.compile(r"\{(\w+)(\??)\}")
# numbers, not anything: several slots of anything are cubic in a hostile text
_SHAPES = {"line": r"\d+", "limit": r"[\d.,e+]+", "name": r"\w+"}


def fill(forms: Mapping[str, str], text: str) -> str | None:
    """A text in the form that it fits, its slots copied; None when it fits none.

    Any table of this kind will do.
    """
    if len(text) > LONGEST:
        return None
    for english, chinese in forms.items():
        found = _one(english).fullmatch(text)
        if found:
            parts = found.groupdict(default="")
            return _SLOT.sub(lambda slot: parts[slot[1]], chinese)  # noqa: B023
    return None


@cache
def _one(english: str) -> re.Pattern[str]:
    return re.compile(_pattern(english), re.DOTALL)


def _pattern(english: str) -> str:
    pieces: list[str] = []
    end = 0
    for slot in _SLOT.finditer(english):
        pieces.append(re.escape(english[end : slot.start()]))
        pieces.append(f"(?P<{slot[1]}>{_SHAPES.get(slot[1], '.+?')}){slot[2]}")
        end = slot.end()
    return "".join([*pieces, re.escape(english[end:])])
