"""Every mutant of a reference: all operators applied to all places."""

import ast
import warnings
from collections.abc import Iterable, Iterator

from grader.model import Framework
from grader.mutation.mutant import Change, Mutant, applied
from grader.mutation.operators import EXPRESSIONS
from grader.mutation.statements import statements
from grader.mutation.wraps import IMPORTS, wrapped

LOAD = ast.Load()
WRAPPED = (ast.Name, ast.BinOp, ast.Call, ast.Subscript, ast.Attribute, ast.Compare)


def mutants(source: str, framework: Framework) -> tuple[Mutant, ...]:
    """Returns every mutant that compiles and is not written like another or like the reference."""
    return tuple(distinct(source, candidates(source, framework)))


def candidates(source: str, framework: Framework) -> Iterator[Mutant]:
    """Yields all operators applied to all places, whatever comes of it."""
    return applied(source, _changes(ast.parse(source), framework))


def first_like(mutant: Mutant, source: str, framework: Framework) -> Mutant:
    """Returns the first mutant of a source that is written like this one, by which it is known."""
    own = _normal(mutant.source)
    produced = candidates(source, framework)
    return next((each for each in produced if _normal(each.source) == own), mutant)


def distinct(source: str, produced: Iterable[Mutant]) -> Iterator[Mutant]:
    """Yields those that compile and are not written like an earlier one or like the source."""
    seen: set[str | None] = {None, ast.unparse(ast.parse(source))}
    for mutant in produced:
        text = _normal(mutant.source)
        if text not in seen:
            seen.add(text)
            yield mutant


def _normal(source: str) -> str | None:
    """The source without comments and spaces; None where it does not compile."""
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(source)
            compile(tree, "mutant", "exec")
    except SyntaxError:
        return None
    return ast.unparse(tree)


def _changes(tree: ast.Module, framework: Framework) -> Iterator[Change]:
    yield from statements(tree)
    for scope in _scopes(tree):
        names = _names(scope)
        for node in _expressions(scope):
            yield from _replaced(node, names, framework)


def _scopes(tree: ast.Module) -> Iterator[ast.AST]:
    """Each function; the module itself where it has none."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    if not functions:
        yield tree
    yield from functions


def _names(scope: ast.AST) -> dict[str, int]:
    """The names of a function and the line from which each has a value."""
    names = {node.arg: 0 for node in ast.walk(scope) if isinstance(node, ast.arg)}
    for node in ast.walk(scope):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.setdefault(node.id, node.lineno)
    return names


def _expressions(scope: ast.AST) -> Iterator[ast.expr]:
    """The expressions of a function that have a value of their own."""
    called = {id(node.func) for node in ast.walk(scope) if isinstance(node, ast.Call)}
    docstrings = {id(node.value) for node in ast.walk(scope) if isinstance(node, ast.Expr)}
    for node in ast.walk(scope):
        if not isinstance(node, ast.expr) or id(node) in called | docstrings:
            continue
        if isinstance(getattr(node, "ctx", LOAD), ast.Load):
            yield node


def _replaced(node: ast.expr, names: dict[str, int], framework: Framework) -> Iterator[Change]:
    for operator, replacements in EXPRESSIONS.items():
        for text in replacements(node):
            yield _change(operator, node, text)
    if isinstance(node, ast.Name) and node.id in names:
        for name, line in names.items():
            if name not in (node.id, "self") and line < node.lineno:
                yield _change("swapped name", node, name)
    if isinstance(node, WRAPPED) and not _is_module(node, names):
        for operator, text in wrapped(node, framework):
            yield _change(operator, node, text, IMPORTS[framework])


def _is_module(node: ast.expr, names: dict[str, int]) -> bool:
    """Is it a module, a class or another name from outside the function, and so not a value?"""
    return isinstance(node, ast.Name) and (node.id not in names or node.id == "self")


def _change(operator: str, node: ast.expr, text: str, extra: str = "") -> Change:
    assert node.end_lineno is not None and node.end_col_offset is not None
    end = (node.end_lineno, node.end_col_offset)
    return Change(operator, (node.lineno, node.col_offset), end, f"({text})", extra)
