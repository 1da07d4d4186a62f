"""What a submission may not use: pedagogy, not protection.

The exercise is to write attention, so calling a finished one teaches nothing and gets
`rule_violation`. The rules find plain use, aliases, `from … import`, `getattr` with a constant and
`importlib`; a determined learner slips past, gains nothing that the judge trusts, and has
understood Python. Applied in the room, to the tree, before any of the source runs.
"""

import ast
from collections.abc import Iterable, Iterator

from grader.inside.syntax import plain_name

FORBIDDEN = (
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
    "torch.nn.MultiheadAttention",
    "torch.nn.modules.activation.MultiheadAttention",
    "torch.nn.Transformer",
    "torch.nn.TransformerEncoderLayer",
    "torch.nn.TransformerDecoderLayer",
    "torch.nn.attention",
    "torch.ops.aten.scaled_dot_product_attention",
    "torch.ops.aten._scaled_dot_product_flash_attention",
    "torch._C._nn.scaled_dot_product_attention",
    "torch.scaled_dot_product_attention",
    "torch._native_multi_head_attention",
)
FORBIDDEN_MODULES = (
    "transformers",
    "flash_attn",
    "xformers",
    "jax",
    "keras",
    "tensorflow",
    "einops.layers",
    "sklearn",
    "reference",
    "problems",
)
FORBIDDEN_NAMES = (
    "scaled_dot_product_attention",
    "multi_head_attention_forward",
    "MultiheadAttention",
    "flex_attention",
)
# where a driver calls the solution, what leads to the driver's variables, or to its functions'
FRAMES = (
    "_getframe",
    "_current_frames",
    "currentframe",
    "f_back",
    "f_locals",
    "f_globals",
    "tb_frame",
    "gi_frame",
    "cr_frame",
    "__closure__",
    "__globals__",
    "cell_contents",
    "get_objects",
    "get_referrers",
)
FRAME_WAYS = (
    "inspect.stack",
    "inspect.trace",
    "inspect.getouterframes",
    "inspect.getclosurevars",
    "sys.settrace",
    "sys.setprofile",
    "sys.monitoring",
)


def violation(
    tree: ast.Module, forbid: Iterable[str] = (), imports: bool = True, driven: bool = False
) -> tuple[str, int] | None:
    """The first forbidden name in a parsed submission and its line, or None.

    `forbid` are further dotted names; `imports=False` forbids every import; `driven`: a driver
    calls the solution, which may not look for it then. Names are followed through `import … as`,
    `from … import` and simple assignment. A name that was neither imported nor assigned
    is a variable: `reference = 3` breaks no rule.
    """
    forbidden = (*FORBIDDEN, *FORBIDDEN_MODULES, *forbid, *(FRAME_WAYS if driven else ()))
    own = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    bare = {*FORBIDDEN_NAMES} - own | {*(FRAMES if driven else ())}
    last = {name.rpartition(".")[2] for name in forbid} - _methods(tree)
    aliases: dict[str, str] = {}
    for node in _in_order(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            if not imports:
                return "import", node.lineno
            names = list(
                _imported(node, aliases, [f for f in forbidden if f.rpartition(".")[2] not in own])
            )
        else:
            names = [name] if (name := _dotted(node, aliases)) else []
        for name in names:
            if _hits(name, forbidden, bare, last):
                return name.removeprefix("?."), getattr(node, "lineno", 1)
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            value = _dotted(node.value, aliases)
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            aliases |= {
                target.id: value for target in targets if value and isinstance(target, ast.Name)
            }
    return None


def _methods(tree: ast.Module) -> set[str]:
    """Names of methods that the file defines: `.softmax` of an object may be one of these."""
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    return {
        item.name
        for definition in classes
        for item in definition.body
        if isinstance(item, ast.FunctionDef)
    }


def _in_order(tree: ast.AST) -> Iterator[ast.AST]:
    """Nodes in the order of the source, without recursion: a hostile tree is deep."""
    stack = [tree]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(list(ast.iter_child_nodes(node))))


def _imported(
    node: ast.Import | ast.ImportFrom, aliases: dict[str, str], forbidden: Iterable[str]
) -> Iterator[str]:
    if isinstance(node, ast.Import):
        for item in node.names:
            aliases[item.asname or item.name.partition(".")[0]] = (
                item.name if item.asname else item.name.partition(".")[0]
            )
            yield item.name
    else:
        for item in node.names:
            full = f"{node.module or ''}.{item.name}"
            aliases[item.asname or item.name] = full
            if item.name == "*":
                aliases |= {
                    f.rpartition(".")[2]: f
                    for f in forbidden
                    if f.rpartition(".")[0] == node.module
                }
            yield full


def _dotted(node: ast.AST, aliases: dict[str, str]) -> str:
    """`F.softmax` as `torch.nn.functional.softmax`, through aliases, constant getattr and
    importlib; '' for anything else.
    """
    parts: list[str] = []
    while True:
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Name):
            bound = aliases.get(node.id, "?." + node.id if parts else "")
            return ".".join([bound, *reversed(parts)])
        elif isinstance(node, ast.Call) and (inner := _call(node, aliases)):
            name, rest = inner
            if rest is None:
                return ".".join([name, *reversed(parts)])
            parts.append(name)
            node = rest
        else:
            # a method of something computed
            return ".".join(["?", *reversed(parts)]) if parts else ""


def _call(node: ast.Call, aliases: dict[str, str]) -> tuple[str, ast.AST | None] | None:
    constants = [
        a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)
    ]
    callee = node.func
    if (
        isinstance(callee, ast.Name)
        and callee.id == "getattr"
        and len(node.args) >= 2
        and constants
    ):
        return constants[0], node.args[0]
    plain = plain_name(callee)
    name = (
        ".".join(
            [aliases.get(plain.partition(".")[0], plain.partition(".")[0]), *plain.split(".")[1:]]
        )
        if plain
        else ""
    )
    if name in ("importlib.import_module", "__import__") and constants:
        return constants[0], None
    return None


def _hits(name: str, forbidden: Iterable[str], bare: set[str], last: set[str]) -> bool:
    if any(name == f or name.startswith(f + ".") for f in forbidden):
        return True
    head, _, tail = name.rpartition(".")
    return (tail in bare or tail in last) and bool(head) and head != "?.self"
