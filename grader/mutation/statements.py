"""Mutation operators for statements and whole functions."""

import ast
from collections.abc import Iterator

from grader.mutation.mutant import Change, Position

KEPT = "\n_kept = {}\n"
SHAPE = "getattr({0}, 'shape', {0})"


def statements(tree: ast.Module) -> Iterator[Change]:
    """Every statement that is dropped, remembered or in place; and inputs that are written to."""
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        if function.name == "__init__":
            continue
        names = [a.arg for a in function.args.args if a.arg != "self"]
        yield from _written(function, names)
        for node in ast.walk(function):
            if isinstance(node, ast.stmt) and node is not function:
                yield from _changed(node, names)


def _changed(node: ast.stmt, arguments: list[str]) -> Iterator[Change]:
    if _is_docstring(node):
        return
    yield _change("dropped statement", node, "pass")
    if isinstance(node, ast.If):
        yield _change("branch", node.test, "True")
        yield _change("branch", node.test, "False")
        yield _change("branch", node.test, f"not ({ast.unparse(node.test)})")
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        yield from _remembered(node.targets[0].id, node, arguments)
        yield from _in_place(node)


def _remembered(name: str, node: ast.Assign, arguments: list[str]) -> Iterator[Change]:
    """The first value for each combination of shapes is kept."""
    shapes = ", ".join(SHAPE.format(argument) for argument in arguments)
    text = f"_kept.setdefault(({name!r}, {shapes},), {ast.unparse(node.value)})"
    yield _change("remembered", node.value, text, KEPT)


def _in_place(node: ast.Assign) -> Iterator[Change]:
    """The result is written into the first operand."""
    value, target = node.value, ast.unparse(node.targets[0])
    if isinstance(value, ast.BinOp) and isinstance(value.left, ast.Name):
        name = value.left.id
        operation = ast.unparse(ast.AugAssign(ast.Name(name), value.op, value.right))
        yield _change("in place", node, f"{operation}; {target} = {name}")
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        inner = ast.unparse(value.args[0]) if value.args else ""
        owner = ast.unparse(value.func.value)
        if owner == "np" and inner.isidentifier():
            yield _change("in place", value, f"{ast.unparse(value)[:-1]}, out={inner})")
        elif owner.isidentifier():
            text = ast.unparse(value).replace(f".{value.func.attr}(", f".{value.func.attr}_(", 1)
            yield _change("in place", value, text)
    if not isinstance(value, ast.Constant):
        yield _change(
            "in place", value, f"{target}.__setitem__(..., {ast.unparse(value)}) or {target}"
        )


def _written(function: ast.FunctionDef, arguments: list[str]) -> Iterator[Change]:
    """An input that is written to and then restored, as it was."""
    body = [node for node in function.body if not _is_docstring(node)]
    for name in arguments:
        text = f"{name}[...] = {name}; "
        if isinstance(body[0], ast.If):
            text = f"{name}[...] = {name}\n{' ' * body[0].col_offset}"
        start = (body[0].lineno, body[0].col_offset)
        yield Change("writes an input", start, start, text)


def _change(operator: str, node: ast.stmt | ast.expr, text: str, extra: str = "") -> Change:
    assert node.end_lineno is not None and node.end_col_offset is not None
    start: Position = (node.lineno, node.col_offset)
    return Change(operator, start, (node.end_lineno, node.end_col_offset), text, extra)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
