"""Names and nested arguments of a case as Python expressions."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grader.case import Case, root
from grader.cli.language import _


def variable(name: str) -> str:
    """A name of a tensor as that of a variable."""
    return re.sub(r"\W+", "_", name).strip("_")


def actual(name: str) -> str:
    """The result, or a leaf of it: `cache.k[2]` is `cache['k'][2]`."""
    if name.startswith("grad."):
        return variable(name)
    return re.sub(r"\.(\w+)", r"['\1']", name)


def put_together(nodes: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, str]:
    """The arguments as expressions, those that are nested put together."""
    plain = {name: text for name, text in texts.items() if root(name) not in nodes}
    return plain | {name: _expression(node, texts) for name, node in nodes.items()}


def _expression(node: Mapping[str, Any], texts: Mapping[str, str]) -> str:
    ((kind, value),) = node.items()
    if kind == "array":
        return texts[value]
    if kind == "plain":
        return repr(value)
    if kind == "dict":
        pairs = (f"{key!r}: {_expression(child, texts)}" for key, child in value.items())
        return f"{{{', '.join(pairs)}}}"
    items = "".join(f"{_expression(child, texts)}, " for child in value)
    return f"({items})" if kind == "tuple" else f"[{items.removesuffix(', ')}]"


def refillable(case: Case, torch: bool) -> list[str]:
    """Which arrays of an earlier call the room also passes as the arrays of the later one, filled
    anew.
    """
    return [
        name
        for name, array in case.before.items()
        if (torch or case.layout.get(name) != "readonly") and name in case.inputs
        if (array.shape, array.dtype) == (case.inputs[name].shape, case.inputs[name].dtype)
    ]


def refilled(names: Sequence[str], call: str, torch: bool) -> Iterator[str]:
    """An earlier call with the arrays of the later one: they get other numbers, then their own."""
    if not names:
        return
    view, copy = (".detach()", ".clone()") if torch else ("", ".copy()")
    own = ", ".join(f"{variable(name)}{view}{copy}" for name in names)
    places = " ".join(f"{variable(name)}{view}[...]," for name in names)
    wrap = "torch.from_numpy({})" if torch else "{}"
    others = ", ".join(wrap.format(f"before_{variable(name)}") for name in names)
    comment = _("# the same arrays with other numbers, and then with their own")
    yield f"own = [{own}]"
    yield f"{places} = [{others}]  {comment}"
    yield call
    yield f"{places} = own"
