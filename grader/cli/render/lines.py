"""Where a line may end, in English and in Chinese: at a space, and beside a Chinese character; but
no line begins with a closing mark.
"""

import re
import unicodedata
from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

NEVER_FIRST = frozenset("、。，．：；！？）】》」』〉”’…—·,.:;!?)]}%")
NEVER_LAST = frozenset("（【《「『〈“‘([{")
SPARE = re.compile("(?<=[、。，．：；！？）】》」』〉]) ")
FIXED = "\u00a0"  # a space at which no line ends


def wrapped(text: Text, width: int) -> Text:
    """The same text, its styles too, in lines of at most `width` columns."""
    text = _closed_up(text)
    lines = text.divide(list(ends(text.plain, width)))
    for line in lines:
        line.rstrip()
        line.plain = line.plain.replace(FIXED, " ")
    return Text("\n").join(lines)


def ends(text: str, width: int) -> Iterator[int]:
    """Where each line but the last ends. What has no good place to end is cut at the margin."""
    start = last = used = 0
    for i, character in enumerate(text):
        if i > start and may_end(text[i - 1], character):
            last = i
        if character == "\n":
            yield i + 1
            start, used = i + 1, 0
            continue
        while used + cell_len(character) > width and character != " " and i > start:
            start = last if last > start else i
            yield start
            used = cell_len(text[start:i])
        used += cell_len(character)


def may_end(before: str, after: str) -> bool:
    """May a line end between these two characters?"""
    if after == " " or after in NEVER_FIRST or before in NEVER_LAST:
        return False
    return before == " " or _wide(before) or _wide(after)


def _closed_up(text: Text) -> Text:
    """Without the space after a full-width mark that only Markdown needs, to see where bold type
    ends.
    """
    spaces = [match.start() for match in SPARE.finditer(text.plain)]
    pieces = text.divide([at for space in spaces for at in (space, space + 1)])
    return Text().join(piece for i, piece in enumerate(pieces) if i % 2 == 0)


def _wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"
