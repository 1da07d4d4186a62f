"""Mutation operators for expressions: each yields what may stand in the place of one node."""

import ast
from collections.abc import Callable, Iterator
from itertools import pairwise

BINARY: dict[type[ast.operator], tuple[str, ...]] = {
    ast.Add: ("-", "*"),
    ast.Sub: ("+",),
    ast.Mult: ("/", "+", "**"),
    ast.Div: ("*", "//", "-"),
    ast.FloorDiv: ("/", "*"),
    ast.Mod: ("//", "*"),
    ast.MatMult: ("*",),
    ast.BitAnd: ("|", "^"),
    ast.BitOr: ("&", "^"),
}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
SIGNS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
# what is called instead, by the name of a function or method
FUNCTIONS = {
    "max": ("min", "mean", "sum"),
    "amax": ("amin", "mean", "sum"),
    "min": ("max",),
    "sum": ("mean", "max", "prod"),
    "mean": ("sum", "max"),
    "exp": ("exp2", "expm1", "sinh"),
    "log": ("log2", "log10", "log1p"),
    "sqrt": ("cbrt", "exp", "log"),
    "softmax": ("log_softmax", "sigmoid"),
    "maximum": ("minimum",),
    "minimum": ("maximum",),
    "ones": ("zeros",),
    "ones_like": ("zeros_like",),
    "zeros": ("ones",),
    "tri": ("ones", "eye"),
    "tril": ("triu",),
    "cumsum": ("cumprod",),
    "abs": ("square",),
    "elu": ("relu", "selu", "softplus"),
    "isneginf": ("isinf", "isnan", "isposinf"),
    "argsort": ("sort",),
    "reshape": ("view",),
}
ATTRIBUTES = {"inf": ("pi", "nan"), "min": ("max", "tiny", "eps"), "bool": ("int64", "uint8")}


def operations(node: ast.expr) -> Iterator[str]:
    """Another operator, one operand alone, operands in the other order."""
    if isinstance(node, ast.BinOp):
        left, right = _in_parentheses(node.left), _in_parentheses(node.right)
        for sign in BINARY.get(type(node.op), ()):
            yield f"{left} {sign} {right}"
        yield from (left, right)
        if isinstance(node.op, ast.Sub | ast.Div | ast.MatMult | ast.FloorDiv):
            yield ast.unparse(ast.BinOp(node.right, node.op, node.left))


def comparisons(node: ast.expr) -> Iterator[str]:
    """Another comparison, and the inverted one."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = _in_parentheses(node.left), _in_parentheses(node.comparators[0])
        own = SIGNS.get(type(node.ops[0]))
        if own is None:
            yield f"not ({ast.unparse(node)})"
        else:
            yield from (f"{left} {sign} {right}" for sign in COMPARISONS if sign != own)
            yield f"~({ast.unparse(node)})"
            yield f"{right} {own} {left}"


def signs(node: ast.expr) -> Iterator[str]:
    """A sign or an inversion that is dropped."""
    if isinstance(node, ast.UnaryOp):
        yield _in_parentheses(node.operand)


def branches(node: ast.expr) -> Iterator[str]:
    """A conditional expression that takes one branch always, or the other one."""
    if isinstance(node, ast.IfExp):
        yield from (_in_parentheses(node.body), _in_parentheses(node.orelse))
        yield ast.unparse(ast.IfExp(node.test, node.orelse, node.body))


def constants(node: ast.expr) -> Iterator[str]:
    """Another number, another word, a number as a word."""
    if not isinstance(node, ast.Constant):
        return
    value = node.value
    if isinstance(value, bool):
        yield str(not value)
    elif isinstance(value, int | float):
        others = (value + 1, value - 1, -value, 0, 1, -1, 2 * value, value + 1e-3)
        if isinstance(value, int):
            others = (*others[:-1], value + 2)
        yield from (repr(other) for other in dict.fromkeys(others) if other != value)
        yield from (repr(repr(value)), "None")
    elif isinstance(value, str):
        yield from (repr(text) for text in _words(value) if text != value)


def _words(value: str) -> Iterator[str]:
    """Subscripts of einsum with two letters swapped; other words become none."""
    inputs, arrow, output = value.partition("->")
    if not arrow:
        return
    letters = sorted(set(inputs) - {","})
    for one, other in ((a, b) for i, a in enumerate(letters) for b in letters[i + 1 :]):
        swapped = str.maketrans({one: other, other: one})
        yield f"{inputs}->{output.translate(swapped)}"
        first, comma, second = inputs.partition(",")
        yield f"{first}{comma}{second.translate(swapped)}->{output}"


def attributes(node: ast.expr) -> Iterator[str]:
    """Another attribute of the same object, or the object itself."""
    if isinstance(node, ast.Attribute):
        owner = ast.unparse(node.value)
        yield from (f"{owner}.{other}" for other in ATTRIBUTES.get(node.attr, ()))
        if node.attr == "inf":
            yield from ("1e9", "1e4", "1e30", "0.0")
        if node.attr in ("T", "mT"):
            yield owner


def calls(node: ast.expr) -> Iterator[str]:
    """Another function, arguments dropped or swapped, a call that is dropped."""
    if not isinstance(node, ast.Call):
        return
    if isinstance(node.func, ast.Attribute):
        owner = _in_parentheses(node.func.value)
        for other in FUNCTIONS.get(node.func.attr, ()):
            yield _call(node, f"{owner}.{other}")
        if not _is_module(node.func.value):
            yield owner
    for argument in node.args:
        if not isinstance(argument, ast.Starred):
            yield _in_parentheses(argument)
    for i in range(len(node.args)):
        yield _call(node, args=node.args[:i] + node.args[i + 1 :])
    for i in range(len(node.args) - 1):
        first, second = node.args[i : i + 2]
        yield _call(node, args=[*node.args[:i], second, first, *node.args[i + 2 :]])
    for i in range(len(node.keywords)):
        yield _call(node, keywords=node.keywords[:i] + node.keywords[i + 1 :])
    for i, keyword in enumerate(node.keywords):
        if keyword.arg in ("axis", "dim"):
            for value in (None, 0, 1, -1, -2):
                changed = ast.keyword(keyword.arg, ast.Constant(value))
                rest = [*node.keywords[:i], changed, *node.keywords[i + 1 :]]
                yield _call(node, keywords=rest)


def _call(
    node: ast.Call,
    function: str = "",
    args: list[ast.expr] | None = None,
    keywords: list[ast.keyword] | None = None,
) -> str:
    changed = ast.Call(
        ast.Name(function) if function else node.func,
        node.args if args is None else args,
        node.keywords if keywords is None else keywords,
    )
    return ast.unparse(changed)


def sequences(node: ast.expr) -> Iterator[str]:
    """Neighbours in a tuple or list swapped, and one left out."""
    if isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Load):
        parts = [ast.unparse(part) for part in node.elts]
        opening, closing = ("(", ",)") if isinstance(node, ast.Tuple) else ("[", "]")
        for i, (one, other) in enumerate(pairwise(parts)):
            yield f"{opening}{', '.join([*parts[:i], other, one, *parts[i + 2 :]])}{closing}"
        for i in range(len(parts)):
            yield f"{opening}{', '.join([*parts[:i], *parts[i + 1 :]])}{closing}"


def subscripts(node: ast.expr) -> Iterator[str]:
    """The whole instead of a part, axes of the index swapped, and bounds that are off by one."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        return
    whole = ast.unparse(node.value)
    yield whole
    if isinstance(node.slice, ast.Tuple):
        parts = [ast.unparse(part) for part in node.slice.elts]
        for i, (one, other) in enumerate(pairwise(parts)):
            yield f"{whole}[{', '.join([*parts[:i], other, one, *parts[i + 2 :]])}]"
        for i, part in enumerate(node.slice.elts):
            for text in _slices(part):
                yield f"{whole}[{', '.join([*parts[:i], text, *parts[i + 1 :]])}]"
    else:
        yield from (f"{whole}[{text}]" for text in _slices(node.slice))


def _slices(part: ast.expr) -> Iterator[str]:
    if isinstance(part, ast.Slice):
        lower = ast.unparse(part.lower) if part.lower else ""
        upper = ast.unparse(part.upper) if part.upper else ""
        yield f"{lower or 0} + 1:{upper}"
        yield f"{lower}:{upper} - 1" if upper else f"{lower}:-1"
        yield f"{lower}:{upper}:-1" if not upper else f"{lower}:{upper} + 1"


def _in_parentheses(node: ast.expr) -> str:
    text = ast.unparse(node)
    simple = isinstance(node, ast.Name | ast.Constant | ast.Attribute | ast.Call | ast.Subscript)
    return text if simple else f"({text})"


def _is_module(node: ast.expr) -> bool:
    return ast.unparse(node) in ("np", "torch", "math", "F", "nn")


EXPRESSIONS: dict[str, Callable[[ast.expr], Iterator[str]]] = {
    "operator": operations,
    "comparison": comparisons,
    "sign": signs,
    "branch": branches,
    "constant": constants,
    "attribute": attributes,
    "call": calls,
    "order": sequences,
    "index": subscripts,
}
