"""Every error that `grade` or a page can show carries a text, which has a translation."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader import errors
from tests.conftest import ROOT

GRADER = sorted((ROOT / "grader").rglob("*.py"))
# the rest is mounted into the room, whose programs raise what Python programs raise
OUTSIDE = [
    path
    for path in GRADER
    if path != ROOT / "grader" / "case.py" and not path.is_relative_to(ROOT / "grader" / "inside")
]
KNOWN = {name for name, kind in vars(errors).items() if isinstance(kind, type)}
# functions that make an error of a text, which is their last argument
MAKERS = {"wrong", "_wrong"}
# by function and what it raises, with the reason
EXCEPTIONS = {
    (
        "grader/sandbox/generation.py",
        "_frames",
    ): "what a program of the room raised, as Python says it",
}


def own_errors() -> set[str]:
    """The names of all classes that derive from an error of this project."""
    found, bases = set(KNOWN), {}
    for path in GRADER:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases[node.name] = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
    for _ in bases:
        found |= {name for name, above in bases.items() if above & found}
    return found


ERRORS = own_errors() | {"CaseError"}


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Every function of a module."""
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def spoken(node: ast.AST) -> list[ast.Call]:
    """The calls in a function that make an error with a message."""
    return [
        call
        for call in ast.walk(node)
        if isinstance(call, ast.Call)
        and call.args
        and ast.unparse(call.func).rpartition(".")[2] in ERRORS | MAKERS
    ]


def is_english(message: ast.expr, function: ast.AST) -> bool:
    """Is a message in one language already: a plain string, or put together of some, also through
    a local name? What `_` returns is one too: JSON, which is in English, would have it.
    """
    match message:
        case ast.Constant():
            return isinstance(message.value, str)
        case ast.JoinedStr():
            return True
        case ast.BinOp():
            return is_english(message.left, function)
        case ast.IfExp():
            return is_english(message.body, function) or is_english(message.orelse, function)
        case ast.Call(func=ast.Name(id=name)):
            return name in ("str", "repr", "_")
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in ("format", "join")
        case ast.Name():
            return any(
                is_english(each.value, function)
                for each in ast.walk(function)
                if isinstance(each, ast.Assign)
                and any(isinstance(t, ast.Name) and t.id == message.id for t in each.targets)
            )
    return False


def english(source: str) -> list[tuple[str, int]]:
    """The function and the line of every error whose message is English alone."""
    return [
        (function.name, call.lineno)
        for function in functions(ast.parse(source))
        for call in spoken(function)
        if is_english(call.args[-1], function)
    ]


@pytest.mark.parametrize("path", OUTSIDE, ids=[str(path.relative_to(ROOT)) for path in OUTSIDE])
def test_an_error_carries_a_text(path: Path) -> None:
    name = str(path.relative_to(ROOT))
    found = english(path.read_text(encoding="utf-8"))
    assert [each for each in found if (name, each[0]) not in EXCEPTIONS] == []


@pytest.mark.parametrize(
    "message",
    ["'no'", "f'no {a}'", "'no %s' % a", "str(a)", "'{}'.format(a)", "words", "_('no') % a"],
)
def test_english_is_found(message: str) -> None:
    source = f"def f(a):\n    words = 'no'\n    raise UsageError({message})\n"
    assert english(source) == [("f", 3)]


@pytest.mark.parametrize("message", ["T_('no')", "told(error)", "words"])
def test_a_text_is_none(message: str) -> None:
    source = f"def f(a):\n    words = T_('no')\n    raise UsageError({message})\n"
    assert english(source) == []


def test_an_exception_is_still_one() -> None:
    for (name, function), reason in EXCEPTIONS.items():
        assert reason
        assert function in [each[0] for each in english((ROOT / name).read_text())]
