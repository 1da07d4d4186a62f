"""Dicts, lists and tuples of tensors: put together for a call, and taken apart after it.

A leaf has a name such as `cache.k[2]`. Runs inside the room only.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from grader.inside.describe import Absent, Numbers

DEPTH = 8
LEAVES = 256  # of one result
KEY = re.compile(r"\w{1,40}")
TEXT = "str"  # in the place of a dtype: the bytes of a text in UTF-8


def rebuilt(nodes: Mapping[str, Any], flat: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the arguments: each node of `nested` put together, other arrays as they are."""
    leaves = {leaf for node in nodes.values() for leaf in _named(node)}
    plain = {name: value for name, value in flat.items() if name not in leaves}
    return plain | {name: _built(node, flat) for name, node in nodes.items()}


def _named(node: Mapping[str, Any]) -> Iterator[str]:
    ((kind, value),) = node.items()
    if kind == "array":
        yield value
    elif kind != "plain":
        for child in value.values() if kind == "dict" else value:
            yield from _named(child)


def _built(node: Mapping[str, Any], flat: Mapping[str, Any]) -> Any:
    ((kind, value),) = node.items()
    if kind == "array":
        return flat[value]
    if kind == "plain":
        return value
    if kind == "dict":
        return {key: _built(child, flat) for key, child in value.items()}
    items = [_built(child, flat) for child in value]
    return tuple(items) if kind == "tuple" else items


def held(whole: Mapping[str, Any], names: Iterable[str]) -> dict[str, list[str]]:
    """Returns the names of what each argument holds."""
    return {name: list(leaves(name, whole[name])) for name in names}


def afterwards(earlier: Mapping[str, list[str]], whole: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what stands in each argument after the call, by names such as `after.blocks[1]`:
    nothing where it holds other things than before, as a list that was emptied or a dict with a new
    key.
    """
    after: dict[str, Any] = {}
    for name, before in earlier.items():
        now = leaves(name, whole[name])
        same = list(now) == before
        after |= {f"after.{leaf}": now[leaf] if same else Absent() for leaf in before}
    return after


def leaves(name: str, value: Any) -> dict[str, Any]:
    """Returns the leaves of a result by name.

    A list of plain numbers is one leaf, an array. What is too deep or too much is one leaf that
    did not come.
    """
    parts: dict[str, Any] = {}
    for leaf, part in _leaves(name, value, 0):
        parts[leaf] = part
        if len(parts) > LEAVES:
            return {name: Absent("items", len(parts), "leaf")}
    return parts


def _leaves(name: str, value: Any, depth: int) -> Iterator[tuple[str, Any]]:
    kind = type(value)
    if kind is str:
        yield name, Numbers(TEXT, text(value))
    elif kind not in (dict, list, tuple) or depth == DEPTH:
        yield name, value
    elif kind is dict:
        for key, part in value.items():
            if type(key) is str and KEY.fullmatch(key):
                yield from _leaves(f"{name}.{key}", part, depth + 1)
            else:
                yield f"{name}.?", Absent("one", "key")
    elif all(type(item) is type(value[0]) for item in value) and (
        not value or type(value[0]) in (int, float, bool)
    ):
        yield name, _numbers(value)
    else:
        for i, part in enumerate(value):
            yield from _leaves(f"{name}[{i}]", part, depth + 1)


def _numbers(value: Any) -> Any:
    dtype = type(value[0]).__name__ if value else "int"
    try:
        return Numbers(dtype, np.array(value, dtype={"int": np.int64}.get(dtype)))
    except OverflowError:
        return Absent("one", "int")


def text(value: str) -> np.ndarray:
    """Returns the bytes of a text."""
    return np.frombuffer(value.encode("utf-8", "surrogatepass"), np.uint8).copy()
