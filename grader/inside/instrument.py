"""Rewrites a program so that it reports each value that it computes. Runs inside the room only.

`s = q @ k.T / d` becomes `s = HOOK(1, q @ k.T) / d` and `HOOK(2, s)`. HOOK returns its value.
The numbers are those of a table of places. Why not `sys.settrace`: docs/design/trace.md.
"""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum

from grader.inside.syntax import fill, load, plain_name, variables

HOOK = "__traced__"
PLACES = 2000  # beyond them, nothing more is reported
NAME_CHARS = 60  # of a variable or an expression
OWN = ("self", "cls")
# what says nothing of the values of a tensor: of such a part, nothing is read
SIZES = frozenset(["shape", "ndim", "dtype", "size", "dim", "device", "numel"])
SIZES_OF = frozenset(["finfo", "iinfo", "len", "new_zeros", "new_ones", "new_full", *SIZES])


class Kind(StrEnum):
    """What a place of the source does."""

    ARGUMENT = "argument"
    ASSIGN = "assign"
    CHANGE = "change"  # in place: an item, `+=`, a method
    LOOP = "loop"
    EXPRESSION = "expression"
    RETURN = "return"


@dataclass(frozen=True, slots=True)
class Place:
    """Something that has a value, made of `names` and `parts` (the numbers of other places)."""

    kind: Kind
    name: str
    line: int
    function: str
    names: tuple[str, ...] = ()
    parts: tuple[int, ...] = ()


@dataclass(slots=True)
class _Uses:
    """What the expression that is being rewritten reads."""

    names: list[str] = field(default_factory=list)
    parts: list[int] = field(default_factory=list)


def instrument(source: str) -> tuple[ast.Module, list[Place]]:
    """Returns the rewritten program and its places. Raises as `ast.parse` does."""
    rewriter = _Rewriter(source)
    tree = rewriter.visit(ast.parse(source, "solution.py"))
    return ast.fix_missing_locations(tree), rewriter.places


class _Rewriter(ast.NodeTransformer):
    def __init__(self, source: str) -> None:
        self.places: list[Place] = []
        whole = source.encode("utf-8", "replace").replace(b"\r\n", b"\n")
        self._lines = whole.replace(b"\r", b"\n").split(b"\n")
        self._function = ""
        self._uses = _Uses()

    def _hook(self, kind: Kind, name: str, node: ast.AST, uses: _Uses, value: ast.expr) -> ast.expr:
        """Returns `HOOK(number, value)`, which the surrounding expression then reads."""
        if len(self.places) >= PLACES:
            return value
        self._uses.parts.append(len(self.places))
        number = ast.Constant(len(self.places))
        call = ast.Call(ast.Name(HOOK, ast.Load()), [number, value], keywords=[])
        about = name[:NAME_CHARS], getattr(node, "lineno", 1), self._function[:NAME_CHARS]
        self.places.append(Place(kind, *about, tuple(uses.names), tuple(uses.parts)))
        return ast.copy_location(call, node)

    def _after(self, kind: Kind, name: str, node: ast.AST, uses: _Uses) -> ast.stmt:
        call = self._hook(kind, name, node, uses, load(name))
        return ast.copy_location(ast.Expr(call), node)

    @contextmanager
    def _collect(self) -> Iterator[_Uses]:
        outer, self._uses = self._uses, _Uses()
        try:
            yield self._uses
        finally:
            self._uses = outer

    def _text(self, node: ast.expr) -> str:
        """The first line of an expression, as it stands in the source."""
        line = b"".join(self._lines[node.lineno - 1 : node.lineno])
        end = node.end_col_offset if node.end_lineno == node.lineno else None
        return line[node.col_offset : end].decode("utf-8", "replace").strip()

    def _wrap(self, node: ast.expr) -> ast.expr:
        text = self._text(node)
        with self._collect() as uses:
            self.generic_visit(node)
        return self._hook(Kind.EXPRESSION, text, node, uses, node)

    visit_BinOp = visit_UnaryOp = visit_Compare = visit_IfExp = visit_BoolOp = _wrap

    def _quiet(self, node: ast.expr) -> ast.expr:
        """What has a scope of its own is read as a whole."""
        self._uses.names += [sub.id for sub in ast.walk(node) if isinstance(sub, ast.Name)]
        return node

    visit_Lambda = visit_ListComp = visit_SetComp = visit_DictComp = _quiet
    visit_GeneratorExp = visit_JoinedStr = _quiet

    def visit_Name(self, node: ast.Name) -> ast.expr:
        self._uses.names.append(node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if node.attr in SIZES:
            return node
        dotted = plain_name(node)
        if dotted:
            self._uses.names += [dotted, dotted.partition(".")[0]]
        if dotted.startswith(OWN) and dotted.count(".") == 1:
            return node
        return node if not isinstance(node.ctx, ast.Load) else self._wrap(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return self._wrap(node) if isinstance(node.ctx, ast.Load) else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Name) and node.func.id == "super":
            return node
        text = self._text(node)
        fill(node)
        dotted = plain_name(node.func)
        if dotted.rpartition(".")[2] in SIZES_OF or dotted.endswith("_like"):
            return self._hook(Kind.EXPRESSION, text, node, _Uses(), node)
        with self._collect() as uses:
            if dotted:
                uses.names += [dotted, dotted.partition(".")[0]]
            elif isinstance(node.func, ast.Attribute):
                node.func.value = self.visit(node.func.value)
            else:
                node.func = self.visit(node.func)
            node.args = [self.visit(argument) for argument in node.args]
            node.keywords = [self.visit(keyword) for keyword in node.keywords]
        return self._hook(Kind.EXPRESSION, text, node, uses, node)

    def _value(self, node: ast.expr) -> tuple[ast.expr, _Uses]:
        """The rewritten value of a statement, which reports it under the name of its target."""
        with self._collect() as uses:
            value = self.visit(node)
        hooked = isinstance(value, ast.Call) and plain_name(value.func) == HOOK
        if hooked and uses.parts == [len(self.places) - 1]:
            place = self.places.pop()
            return value.args[1], _Uses([*uses.names, *place.names], list(place.parts))
        return value, uses

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        node.value, uses = self._value(node.value)
        return self._hook(Kind.ASSIGN, node.target.id, node, uses, node)

    def visit_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        values, assigned = self._values(node), list[tuple[str, bool, _Uses]]()
        for target in node.targets:
            if len(values) > 1 and isinstance(target, ast.Tuple):
                pairs = list(zip(target.elts, values, strict=True))
            else:
                pairs = [(target, _together(values))]
            assigned += [(*var, uses) for item, uses in pairs for var in variables(item)]
        return [node, *(self._set(name, part, node, uses) for name, part, uses in assigned)]

    def _values(self, node: ast.Assign) -> list[_Uses]:
        """What the value reads; for each item where as many are set as are given."""
        value, target = node.value, node.targets[0]
        if len(node.targets) > 1 or not _one_each(target, value):
            node.value, uses = self._value(value)
            return [uses]
        assert isinstance(value, ast.Tuple)
        pairs = [self._value(item) for item in value.elts]
        value.elts = [item for item, _ in pairs]
        return [uses for _, uses in pairs]

    def _set(self, name: str, part: bool, node: ast.AST, uses: _Uses) -> ast.stmt:
        if part:
            uses = _Uses([name, *uses.names], uses.parts)
        return self._after(Kind.CHANGE if part else Kind.ASSIGN, name, node, uses)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        if node.value is None:
            return [node]
        node.value, uses = self._value(node.value)
        return [node, *(self._set(*var, node, uses) for var in variables(node.target))]

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        with self._collect() as uses:
            node.value = self.visit(node.value)
        return [node, *(self._set(name, True, node, uses) for name, _ in variables(node.target))]

    def visit_Expr(self, node: ast.Expr) -> list[ast.stmt]:
        """A call by itself may change what it is given: `np.copyto(a, b)`, `heads.append(h)`."""
        call = node.value
        if not isinstance(call, ast.Call):
            node.value = self.visit(call)
            return [node]
        candidates = [call.func.value] if isinstance(call.func, ast.Attribute) else []
        candidates += [*call.args[:1], *(k.value for k in call.keywords if k.arg == "out")]
        names = [item.id for item in candidates if isinstance(item, ast.Name)]
        with self._collect() as uses:
            node.value = self.visit(call)
        return [node, *(self._set(name, True, node, uses) for name in dict.fromkeys(names))]

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        if isinstance(node.value, ast.Tuple):
            node.value.elts = [self._returned(item) for item in node.value.elts]
        elif node.value is not None:
            node.value = self._returned(node.value)
        return node

    def _returned(self, value: ast.expr) -> ast.expr:
        if isinstance(value, ast.Starred):
            return value
        text = self._text(value)
        inner, uses = self._value(value)
        return self._hook(Kind.RETURN, text, value, uses, inner)

    def visit_For(self, node: ast.For) -> ast.stmt:
        with self._collect() as uses:
            node.iter = self.visit(node.iter)
        names = [name for name, part in variables(node.target) if not part]
        first = [self._after(Kind.LOOP, name, node, uses) for name in names]
        node.body = first + self._body(node.body)
        node.orelse = self._body(node.orelse)
        return node

    def visit_Match(self, node: ast.Match) -> ast.stmt:
        return node  # a pattern is no expression, though it is made of some

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        node.body = [
            self.visit(item) if isinstance(item, ast.FunctionDef | ast.ClassDef) else item
            for item in node.body
        ]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        outer, self._function = self._function, node.name
        docstring = node.body[:1] if ast.get_docstring(node, clean=False) is not None else []
        given = node.args
        every = [*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg]
        with self._collect():
            arguments = [
                self._after(Kind.ARGUMENT, argument.arg, node, _Uses())
                for argument in every
                if argument is not None and argument.arg not in OWN
            ]
            node.body = docstring + arguments + self._body(node.body[len(docstring) :])
        self._function = outer
        return node

    def _body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        body: list[ast.stmt] = []
        for statement in statements:
            new = self.visit(statement)
            body += new if isinstance(new, list) else [new]
        return body


def _one_each(target: ast.expr, value: ast.expr) -> bool:
    """Are as many set as are given, each by itself?"""
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
        return False
    every = (*target.elts, *value.elts)
    return len(every) == 2 * len(value.elts) and not any(isinstance(e, ast.Starred) for e in every)


def _together(values: list[_Uses]) -> _Uses:
    return _Uses([n for v in values for n in v.names], [p for v in values for p in v.parts])
