"""Finds the place of a known mistake in a learner's own source, and the line as it should be.

A mistake is a small change of the reference. Where its wrong text, with the text around it, stands
in the learner's source in exactly one place, that place can be changed back. Spaces and the names
of variables may differ. Nothing is parsed or run: the source is only cut into tokens.
"""

import builtins
import io
import keyword
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

LONGEST = 1000  # lines that are searched, and characters of a line
MOST_TOKENS = 3000
CONTEXT = 6  # tokens on each side of a change that may be compared
LEAST_TOKENS = 3  # of a text that is searched for
SKIPPED = (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT)
# names that mean the same in every source
SHARED = frozenset((*keyword.kwlist, *dir(builtins), "np", "numpy", "torch", "math"))


@dataclass(frozen=True, slots=True)
class Correction:
    """A line of a source, and what it should be; lines count from 1."""

    line: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Change:
    """Where two lists of tokens differ: between `start` and the ends of the two."""

    start: int
    wrong_end: int
    right_end: int


Tokens = Sequence[tokenize.TokenInfo]


@lru_cache(maxsize=128)
def correction(right: str, wrong: str, source: str) -> Correction | None:
    """Returns how `source` is corrected as `wrong` becomes `right`.

    None where the change is of more than one line, or where its place is not certain.
    """
    tokens = [_tokens(text) for text in (right, wrong, source)]
    if not all(tokens):
        return None
    of_right, of_wrong, own = tokens
    change = _change(of_right, of_wrong)
    if change is None:
        return None
    for before, after in _contexts(of_wrong, change):
        pattern = of_wrong[change.start - before : change.wrong_end + after]
        places = [(i, names) for i in range(len(own)) if (names := _match(pattern, own, i))]
        if len(places) == 1:
            at, names = places[0]
            return _corrected((right, wrong, source), tokens, at + before, change, names)
    return None


def _tokens(source: str) -> Tokens:
    lines = source.splitlines()
    if len(lines) > LONGEST or any(len(line) > LONGEST for line in lines):
        return ()
    try:
        tokens = [
            token
            for token in tokenize.generate_tokens(io.StringIO(source).readline)
            if token.type not in SKIPPED
        ]
    except (tokenize.TokenError, SyntaxError, ValueError):
        return ()
    return tokens if len(tokens) <= MOST_TOKENS else ()


def _change(right: Tokens, wrong: Tokens) -> Change | None:
    """The one stretch in which two sources differ, inside of one line."""
    start = _common(right, wrong)
    end = min(_common(right[::-1], wrong[::-1]), len(right) - start, len(wrong) - start)
    change = Change(start, len(wrong) - end, len(right) - end)
    changed = (*wrong[start : change.wrong_end], *right[start : change.right_end])
    return change if changed and not any(map(_ends_line, changed)) else None


def _common(one: Tokens, two: Tokens) -> int:
    pairs = zip(one, two, strict=False)
    return len(list(takewhile(lambda pair: pair[0].string == pair[1].string, pairs)))


def _ends_line(token: tokenize.TokenInfo) -> bool:
    return token.type in (tokenize.NEWLINE, tokenize.ENDMARKER)


def _contexts(wrong: Tokens, change: Change) -> Iterator[tuple[int, int]]:
    """How many tokens before and after a change are compared: as many as the line has, then fewer,
    but never too few to know the place by.
    """
    before = _on_line(reversed(wrong[: change.start]))
    after = _on_line(iter(wrong[change.wrong_end :]))
    pairs = [(b, a) for b in range(before + 1) for a in range(after + 1)]
    for b, a in sorted(pairs, key=lambda pair: (-sum(pair), abs(pair[0] - pair[1]))):
        pattern = wrong[change.start - b : change.wrong_end + a]
        if len(pattern) >= LEAST_TOKENS and any(_tells(pattern, i) for i in range(len(pattern))):
            yield b, a


def _on_line(tokens: Iterator[tokenize.TokenInfo]) -> int:
    rest = takewhile(lambda token: not _ends_line(token), tokens)
    return min(CONTEXT, len(list(rest)))


def _tells(tokens: Tokens, i: int) -> bool:
    """Whether a token says something of the formula: an operator, a number, an attribute."""
    token = tokens[i]
    if token.type == tokenize.NAME:
        return token.string not in SHARED and not _is_free(tokens, i)
    return token.type in (tokenize.OP, tokenize.NUMBER) and token.string not in "()[]{},.:="


def _match(pattern: Tokens, own: Tokens, at: int) -> dict[str, str] | None:
    """The names of the pattern in the learner's source, if it stands at that place."""
    names: dict[str, str] = {}
    if at + len(pattern) > len(own):
        return None
    for i, token in enumerate(pattern):
        mine = own[at + i]
        if token.type != mine.type:
            return None
        if _is_free(pattern, i) and _is_free(own, at + i):
            if names.setdefault(token.string, mine.string) != mine.string:
                return None
        elif token.string != mine.string:
            return None
    distinct = len(set(names.values())) == len(names)
    return names | {"": ""} if distinct else None


def _is_free(tokens: Tokens, i: int) -> bool:
    """Whether a token is a variable, which may have another name; not an attribute, nor the name
    of an argument.
    """
    token = tokens[i]
    if token.type != tokenize.NAME or token.string in SHARED:
        return False
    before = tokens[i - 1].string if i else ""
    after = tokens[i + 1].string if i + 1 < len(tokens) else ""
    return before != "." and not (after == "=" and before in ("(", ","))


@dataclass(frozen=True, slots=True)
class Gap:
    """What stands between the token before a stretch and the token after it: spaces, text, spaces.

    At the beginning of a line it starts with its first token.
    """

    line: int
    start: int
    end: int
    left: str
    right: str


def _corrected(
    texts: Sequence[str],
    tokens: Sequence[Tokens],
    at: int,
    change: Change,
    names: Mapping[str, str],
) -> Correction | None:
    """The learner's line with the right text in the place of the wrong one.

    Spaces around it stay the learner's where the mistake does not change those of the reference.
    """
    of_right, _, own = tokens
    stretches = (
        (change.start, change.right_end),
        (change.start, change.wrong_end),
        (at, at + change.wrong_end - change.start),
    )
    right, wrong, old = (
        _gap(text.splitlines(), each, *stretch)
        for text, each, stretch in zip(texts, tokens, stretches, strict=True)
    )
    known = {token.string for token in own if token.type == tokenize.NAME}
    text = _renamed(of_right[change.start : change.right_end], names, known)
    if right is None or wrong is None or old is None or text is None:
        return None
    left_space = old.left if right.left == wrong.left else right.left
    right_space = old.right if right.right == wrong.right else right.right
    before = texts[2].splitlines()[old.line - 1]
    after = before[: old.start] + left_space + text + right_space + before[old.end :]
    return Correction(old.line, before, after) if after != before else None


def _gap(lines: list[str], tokens: Tokens, start: int, end: int) -> Gap | None:
    """None where it spans several lines."""
    first, last = tokens[start - 1] if start else None, tokens[end]
    line = last.start[0]
    if first is not None and not _ends_line(first) and first.end[0] == line:
        column = first.end[1]
    elif start < end and tokens[start].start[0] == line:
        column = tokens[start].start[1]
    else:
        return None
    # what ends a line may have a comment before it
    end_column = tokens[end - 1].end[1] if _ends_line(last) else last.start[1]
    text = lines[line - 1][column:end_column]
    left = text[: len(text) - len(text.lstrip())]
    right = text[len(text.rstrip()) :] if text.strip() else ""
    return Gap(line, column, end_column, left, right)


def _renamed(changed: Tokens, names: Mapping[str, str], known: set[str]) -> str | None:
    """The right text with the learner's names; None where one of them is not known."""
    text = ""
    for i, token in enumerate(changed):
        if i:
            text += " " * (token.start[1] - changed[i - 1].end[1])
        if not _is_free(changed, i):
            text += token.string
        elif names.get(token.string, token.string) in known:
            text += names.get(token.string, token.string)
        else:
            return None
    return text
