"""Names and nested arguments of a case as Python expressions."""

import re
from collections.abc import Mapping
from typing import Any

from grader.case import root


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
