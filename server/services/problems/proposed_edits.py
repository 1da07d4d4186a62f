"""Proposes a known mistake as one edit of the reference, from a learner's source.

Works on tokens, since parsing a hostile source may end a process. Where a source differs from the
reference in more than one place, there is no such edit.
"""

import builtins
import io
import keyword
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

MOST_TOKENS = 1500
MOST_FURTHER = 100  # tokens that one of the two may have more
MOST_LINES = 6  # of the reference that an edit replaces
SKIPPED = (tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER)
FIXED = {*keyword.kwlist, *dir(builtins)}
LAYOUT = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)


@dataclass(frozen=True, slots=True)
class Proposal:
    """What to find in the reference, once, and what stands there instead."""

    find: str
    replace: str


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    name: bool  # may be called differently by a learner
    line: int  # from 0
    start: int
    end: int
    layout: bool


def propose(reference: str, source: str) -> Proposal | None:
    """Returns the edit of the reference that makes it the source, up to names; None where there is
    none.
    """
    try:
        right, imports = _statements(reference)
        wrong, theirs = _statements(source)
    except (tokenize.TokenError, SyntaxError):
        return None
    further = abs(len(right) - len(wrong))
    if len(wrong) > MOST_TOKENS or further > MOST_FURTHER or not theirs <= imports:
        return None
    names = _names(right, wrong, {word for line in imports for word in line.split()})
    own = {t.text for t in wrong if t.name} - set(names)
    if own & set(names.values()):  # one name would stand for two things
        return None
    words = [names.get(t.text, t.text) if t.name else t.text for t in wrong]
    region = _region(right, [t.text for t in right], words)
    if region is None:
        return None
    lines = _rewritten(source, wrong, words, region[1])
    return _edit(reference, right[region[0]], lines) if lines is not None else None


def _statements(source: str) -> tuple[list[_Token], set[str]]:
    """Returns the tokens of a source without comments and docstrings, and its imports apart."""
    kept: list[_Token] = []
    imports: set[str] = set()
    statement: list[_Token] = []
    for token in _tokens(source):
        if token.layout and token.text != "NEWLINE":
            kept.append(token)
            continue
        statement.append(token)
        if token.layout:
            texts = [t.text for t in statement[:-1]]
            if texts and texts[0] in ("import", "from"):
                imports.add(" ".join(texts))
            elif texts[:1] == ["raise"]:  # the words of a message are everybody's own
                kept += [*statement[:2], token]
            elif len(texts) != 1 or texts[0].lstrip("rRbBuU")[:1] not in ("'", '"'):
                kept += statement
            statement = []
    return kept + statement, imports


def _tokens(source: str) -> Iterator[_Token]:
    after = ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in SKIPPED:
            continue
        layout = token.type in LAYOUT
        own = token.type == tokenize.NAME and token.string not in FIXED and after != "."
        text = tokenize.tok_name[token.type] if layout else token.string
        line, start = token.start
        end = token.end[1] if token.end[0] == line else start
        yield _Token(text, own, line - 1, start, end, layout)
        after = token.string


def _names(right: Sequence[_Token], wrong: Sequence[_Token], imported: set[str]) -> dict[str, str]:
    """Returns what the learner's names are in the reference, as far as they stand in its places."""
    patterns = [["<name>" if t.name else t.text for t in side] for side in (right, wrong)]
    matcher = SequenceMatcher(None, patterns[0], patterns[1], autojunk=False)
    pairs = Counter(
        (wrong[block.b + i].text, right[block.a + i].text)
        for block in matcher.get_matching_blocks()
        for i in range(block.size)
        if right[block.a + i].name
    )
    names: dict[str, str] = {}
    # the likeliest first: those that stand in each other's places most often, or are equal
    for (theirs, ours), _ in sorted(pairs.items(), key=lambda p: (-p[1], p[0][0] != p[0][1])):
        free = theirs not in names and ours not in names.values()
        if free and (theirs == ours or ours not in imported):
            names[theirs] = ours
    return names


def _region(
    right: Sequence[_Token], texts: list[str], words: list[str]
) -> tuple[slice, slice] | None:
    """Returns the whole statements that differ, in both; None when nothing or too much does."""
    shorter = min(len(texts), len(words))
    head = next((i for i in range(shorter) if texts[i] != words[i]), shorter)
    most = shorter - head
    tail = next((i for i in range(most) if texts[-1 - i] != words[-1 - i]), most)
    if head == len(texts) == len(words):
        return None
    while head and not right[head - 1].layout:
        head -= 1
    while tail and not all(side[: len(side) - tail][-1:] == ["NEWLINE"] for side in (texts, words)):
        tail -= 1
    ours, theirs = slice(head, len(texts) - tail), slice(head, len(words) - tail)
    if ours.stop <= ours.start or theirs.stop <= theirs.start:
        return None
    lines = right[ours][-1].line - right[ours][0].line + 1
    if lines > MOST_LINES or 2 * len(right[ours]) > len(right):
        return None
    return ours, theirs


def _rewritten(
    source: str, wrong: Sequence[_Token], words: Sequence[str], where: slice
) -> list[str] | None:
    """Returns the learner's lines of a region with the names of the reference; None where a token
    spans lines.
    """
    chosen = wrong[where]
    lines = source.split("\n")
    for token, word in reversed(list(zip(chosen, words[where], strict=True))):
        if token.name and word != token.text:
            line = lines[token.line]
            lines[token.line] = line[: token.start] + word + line[token.end :]
    return lines[chosen[0].line : chosen[-1].line + 1]


def _edit(reference: str, region: Sequence[_Token], lines: list[str]) -> Proposal | None:
    """Returns the edit of whole lines, unless they stand twice or are indented differently."""
    ours = reference.split("\n")[region[0].line : region[-1].line + 1]
    find, replace = "\n".join(ours), "\n".join(lines)
    if _indent(ours[0]) != _indent(lines[0]) or reference.count(find) != 1 or find == replace:
        return None
    return Proposal(find, replace)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
