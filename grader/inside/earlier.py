"""What the caller owns and a call must leave alone: the results of earlier calls, and its inputs.

Runs inside the room only.
"""

from typing import Any

import numpy as np

from grader.inside import nested
from grader.inside.describe import Absent

Copies = list[tuple[Any, Any]]  # each array that a call returned, and a copy of it


def copies(returned: Any) -> Copies:
    """Returns the arrays of a result, each with its numbers as they are now."""
    leaves = nested.leaves("", returned).values()
    return [(leaf, copy) for leaf in leaves if (copy := _copy(leaf)) is not None]


def changed(results: Copies) -> bool:
    """Has an array other numbers than when it was returned?

    It then lies in memory that a later call has used again.
    """
    return not all(_same(value, copy) for value, copy in results)


def overwritten(returns: list[str]) -> Any:
    """Returns what stands for the result of a call that has changed an earlier one."""
    absent = Absent("overwritten")
    return absent if len(returns) == 1 else (absent,) * len(returns)


def versions(arguments: dict[str, Any]) -> dict[str, int]:
    """Returns how often PyTorch has seen each tensor written to."""
    return {n: value._version for n, value in arguments.items() if hasattr(value, "_version")}


def restored(
    arguments: dict[str, Any], before: dict[str, int], given: dict[str, np.ndarray]
) -> dict[str, Any]:
    """Returns, as `after.NAME`, the tensors that were written to although they hold the same
    numbers again: meanwhile, another thread would have seen others.
    """
    return {
        f"after.{name}": Absent()
        for name, count in before.items()
        if arguments[name]._version != count
        and _same(arguments[name].detach().numpy(), given[name])
    }


def _copy(value: Any) -> Any:
    if type(value) is np.ndarray:
        return value.copy()
    return value.detach().clone() if hasattr(value, "untyped_storage") else None


def _same(value: Any, copy: Any) -> bool:
    if tuple(value.shape) != tuple(copy.shape):
        return False
    return bool(((value == copy) | ((value != value) & (copy != copy))).all())
