"""Names in a parsed program, and how memory that is not written yet becomes zeros.

Runs inside the room only.
"""

import ast
from collections.abc import Iterator

# what memory held before is no step of a program: in its place, zeros are traced
UNWRITTEN = {"empty": "zeros", "empty_like": "zeros_like", "new_empty": "new_zeros"}
MODULES = ("np", "numpy", "torch")
ONLY_UNWRITTEN = ("memory_format", "pin_memory")  # what only those functions take


def plain_name(node: ast.AST) -> str:
    """`self.scale` of such a chain of names; "" for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def load(dotted: str) -> ast.expr:
    """Returns the expression that reads such a chain of names."""
    base, _, name = dotted.rpartition(".")
    return ast.Attribute(load(base), name, ast.Load()) if base else ast.Name(name, ast.Load())


def variables(target: ast.AST) -> Iterator[tuple[str, bool]]:
    """Yields the variables that a target sets, and whether it changes a part of each only."""
    if isinstance(target, ast.Tuple | ast.List):
        for item in target.elts:
            yield from variables(item)
    elif isinstance(target, ast.Starred):
        yield from variables(target.value)
    else:
        part = False
        while isinstance(target, ast.Subscript):
            target, part = target.value, True
        if name := plain_name(target):
            yield name, part


def fill(call: ast.Call) -> None:
    """Makes a call that takes memory as it is one that fills it with zeros."""
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr not in UNWRITTEN:
        return
    known = function.attr == "new_empty" or plain_name(function.value) in MODULES
    if known and not any(keyword.arg in ONLY_UNWRITTEN for keyword in call.keywords):
        function.attr = UNWRITTEN[function.attr]
