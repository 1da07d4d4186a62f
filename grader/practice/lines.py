"""A program as its logical lines, without comments and docstrings."""

import ast
import io
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from textwrap import indent as indented

LEVEL = "    "
SKIPPED = (tokenize.NL, tokenize.COMMENT, tokenize.ENDMARKER)


@dataclass(frozen=True, slots=True)
class Line:
    """A statement, or the head of a block, at a level of indentation.

    A statement may go on over several rows of text; their indentation is relative to the first.
    """

    text: str
    indent: int = 0

    def __str__(self) -> str:
        return indented(self.text, LEVEL * self.indent)


Lines = tuple[Line, ...]


@lru_cache(maxsize=512)
def lines_of(source: str) -> Lines:
    """Returns the logical lines of a source that is Python."""
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    rows = _without_comments(source, tokens)
    left_out = set(_docstrings(ast.parse(source)))
    return tuple(
        Line(_text(rows, first, last), level)
        for level, first, last in _logical(tokens)
        if first.start[0] not in left_out
    )


def source_of(lines: Sequence[Line]) -> str:
    """Returns the source that these lines make."""
    return "".join(f"{line}\n" for line in lines)


def _without_comments(source: str, tokens: Sequence[tokenize.TokenInfo]) -> list[str]:
    rows = source.splitlines()
    for token in tokens:
        if token.type == tokenize.COMMENT:
            row, column = token.start
            rows[row - 1] = rows[row - 1][:column].rstrip()
    return rows


def _docstrings(tree: ast.Module) -> Iterator[int]:
    """Yields the row in which each docstring begins, where a block is more than that."""
    for node in ast.walk(tree):
        blocks = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        if isinstance(node, blocks) and len(node.body) > 1 and ast.get_docstring(node) is not None:
            yield node.body[0].lineno


def _logical(
    tokens: Sequence[tokenize.TokenInfo],
) -> Iterator[tuple[int, tokenize.TokenInfo, tokenize.TokenInfo]]:
    """Yields the level, the first and the last token of each logical line."""
    level, first, last = 0, None, None
    for token in tokens:
        if token.type in (tokenize.INDENT, tokenize.DEDENT):
            level += 1 if token.type == tokenize.INDENT else -1
        elif token.type == tokenize.NEWLINE and first is not None and last is not None:
            yield level, first, last
            first = None
        elif token.type not in SKIPPED:
            first, last = first or token, token


def _text(rows: Sequence[str], first: tokenize.TokenInfo, last: tokenize.TokenInfo) -> str:
    """Returns the text from one token to another, with its further rows moved left."""
    column = first.start[1]
    text = list(rows[first.start[0] - 1 : last.end[0]])
    text[-1] = text[-1][: last.end[1]]
    text[0] = text[0][column:]
    rest = (row[min(column, len(row) - len(row.lstrip())) :] for row in text[1:])
    return "\n".join((text[0], *(row for row in rest if row.strip())))
