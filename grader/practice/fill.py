"""Makes blanks to fill: expressions of the reference that known mistakes change."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile

from grader.model import Framework
from grader.practice.changes import Change, changes, spread
from grader.practice.item import Blank, Fill, Step
from grader.practice.lines import LEVEL, Lines, lines_of, source_of
from grader.problem import Problem

MOST_SINGLE = 6  # items with one blank
MOST_BLANKS = 3  # in the item with several
# expressions that cannot stand in brackets, or whose place the parser does not know
NO_BLANK = (ast.Starred, ast.Slice, ast.GeneratorExp, ast.FormattedValue)

Span = tuple[int, int]


def fills(problem: Problem, framework: Framework) -> tuple[Fill, ...]:
    """Returns items with one blank each, then one with several."""
    program = lines_of(problem.references[framework])
    blanks = _blanks(program, changes(problem, framework, program))
    items: list[tuple[Blank, ...]] = [(blank,) for blank in blanks[:MOST_SINGLE]]
    several = _apart(blanks)[:MOST_BLANKS]
    if len(several) > 1:
        items.append(tuple(several))
    return tuple(
        Fill(f"{Step.FILL}-{number}", framework, program, chosen)
        for number, chosen in enumerate(items, 1)
    )


def _blanks(program: Lines, edits: tuple[Change, ...]) -> list[Blank]:
    """Returns a blank for each expression, with what all mistakes have there."""
    blanks: dict[tuple[int, Span], Blank] = {}
    for change in spread(edits):
        blank = _blank(program, change)
        if blank is not None:
            key = blank.line, (blank.start, blank.end)
            known = blanks.get(key, blank)
            blanks[key] = replace(known, wrong={**known.wrong, **blank.wrong})
    return list(blanks.values())


def _apart(blanks: Sequence[Blank]) -> list[Blank]:
    """Returns the first blank of each line, in the order of the program."""
    firsts = {blank.line: blank for blank in reversed(blanks)}
    return [firsts[line] for line in sorted(firsts)]


def _blank(program: Lines, change: Change) -> Blank | None:
    """Returns the smallest expression that holds all that a mistake changes; None where no
    expression of both programs does.
    """
    right, wrong = program[change.at].text, change.line.text
    if change.line.indent != program[change.at].indent:
        return None
    start, end = _differing(right, wrong)
    other = (*program[: change.at], change.line, *program[change.at + 1 :])
    known = set(_expressions(other, change.at))
    for first, last in sorted(_expressions(program, change.at), key=lambda s: s[1] - s[0]):
        stop = last + len(wrong) - len(right)
        if right[first:last].isidentifier():  # the name of a variable is too little to ask for
            continue
        if first <= start and end <= last and (first, stop) in known:
            texts = right[first:last], wrong[first:stop]
            return Blank(change.at, first, last, texts[0], {change.mistake.name: texts[1]})
    return None


def _differing(one: str, two: str) -> Span:
    """Returns the characters of one text that differ from another: from where, to where."""
    start = _common(one, two)
    end = min(_common(one[::-1], two[::-1]), len(one) - start, len(two) - start)
    return start, len(one) - end


def _common(one: str, two: str) -> int:
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False))))


@lru_cache(maxsize=512)
def _expressions(program: Lines, at: int) -> tuple[Span, ...]:
    """Returns where each expression of a line begins and ends in the line's text."""
    first = source_of(program[:at]).count("\n") + 1
    rows = str(program[at]).splitlines(keepends=True)
    own = range(first, first + len(rows))
    margin = len(LEVEL) * program[at].indent
    return tuple(
        (
            _place(rows, node.lineno - first, node.col_offset, margin),
            _place(rows, (node.end_lineno or 0) - first, node.end_col_offset or 0, margin),
        )
        for node in _nodes(ast.parse(source_of(program)), own)
        if isinstance(node, ast.expr)
        and node.lineno in own
        and node.end_lineno in own
        and _fits_brackets(node)
    )


def _nodes(tree: ast.AST, rows: range) -> Iterator[ast.AST]:
    """Yields the nodes of some rows, but none inside of an f-string."""
    yield tree
    if isinstance(tree, ast.JoinedStr):
        return
    for child in ast.iter_child_nodes(tree):
        begin = getattr(child, "lineno", rows.start)
        if begin < rows.stop and getattr(child, "end_lineno", begin) >= rows.start:
            yield from _nodes(child, rows)


def _fits_brackets(node: ast.expr) -> bool:
    """Whether it is a value that is read, and so may be written in brackets."""
    written = isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
    places = isinstance(node, ast.Tuple) and any(isinstance(e, ast.Slice) for e in node.elts)
    return not isinstance(node, NO_BLANK) and not written and not places


def _place(rows: Sequence[str], row: int, column: int, margin: int) -> int:
    """Returns a place of the parser, which counts bytes in a row, in the text without margins."""
    inside = len(rows[row].encode()[:column].decode())
    return sum(map(len, rows[:row])) + inside - margin * (row + 1)
