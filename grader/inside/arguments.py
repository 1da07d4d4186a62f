"""What a call is made of: its arguments, and the object that it is made on.

Runs inside the room only.
"""

from typing import Any

import numpy as np

from grader.inside.describe import NAME_CHARS, NAMES, Absent, name_of

SMALL_BYTES = 1 << 18  # an array whose comparison takes next to no time and no memory


class BadState(Exception):
    """A module's parameters are not those that the problem names: a code and what it is about."""

    def __init__(self, code: str, **details: Any) -> None:
        self.code, self.details = code, details


def bind(params: list[Any], given: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Required parameters by position, in the declared order; optional ones by keyword, so that a
    learner may rename the former.
    """
    bound = [given[name] for name, required in params if required]
    return bound, {name: given[name] for name, required in params if not required and name in given}


def argument(value: Any, framework: str, layout: str, grad: bool) -> Any:
    """Returns an array as the solution gets it: a copy of its own, in its framework and layout."""
    array = value.copy()
    if layout == "strided":
        # the first axis changes fastest, as after a transposition, so that no two axes can be
        # merged without a copy; between the entries are the same bytes in every run
        array = np.zeros((*value.shape[::-1], 2), value.dtype)[..., 0].T
        array[...] = value
    elif layout == "transposed":
        array = np.array(array, order="F")
    if framework == "numpy":
        array.flags.writeable = layout != "readonly"
        return array
    import torch

    tensor = torch.from_numpy(array)
    return tensor.requires_grad_(grad) if grad else tensor


def _filled(given: Any, value: Any) -> bool:
    """Writes the numbers of an array into an argument; returns whether it has the shape and the
    dtype for them, and may be written to.

    A caller that uses one buffer again and again passes the same object with other numbers.
    """
    if tuple(given.shape) != value.shape or str(given.dtype).rpartition(".")[2] != value.dtype.name:
        return False
    if isinstance(given, np.ndarray):
        if given.flags.writeable:
            given[...] = value
        return bool(given.flags.writeable)
    import torch

    with torch.no_grad():
        given.copy_(torch.from_numpy(value.copy()))
    return True


def reused(
    arguments: dict[str, Any], earlier: dict[str, Any], others: dict[str, Any]
) -> dict[str, Any]:
    """Returns the arguments of an earlier call: the very objects of the later one where shape and
    dtype are the same, so that what is kept by identity or address shows; else those of `others`.
    """
    return {
        name: arguments[name]
        if name in arguments and _filled(arguments[name], value)
        else others[name]
        for name, value in earlier.items()
    }


def renewed(
    arguments: dict[str, Any],
    others: dict[str, Any],
    given: dict[str, Any],
    framework: str,
    layout: dict[str, str],
    grads: set[str],
) -> dict[str, Any]:
    """Returns the arguments of the later call with their own numbers again; a new one where the
    earlier call has left nothing to write them into.
    """
    return {
        name: value
        if others.get(name) is not value or _filled(value, given[name])
        else argument(given[name], framework, layout.get(name, ""), name in grads)
        for name, value in arguments.items()
    }


def versions(arguments: dict[str, Any]) -> dict[str, int]:
    """Returns how often PyTorch has seen each tensor written to."""
    return {n: value._version for n, value in arguments.items() if hasattr(value, "_version")}


def modified(
    arguments: dict[str, Any], before: dict[str, int], given: dict[str, np.ndarray]
) -> bool:
    """Returns whether an argument was written to; of NumPy's, the small ones are looked at."""
    return any(
        value._version != before[name]
        if name in before
        else value.nbytes <= SMALL_BYTES and value.tobytes() != given[name].tobytes()
        for name, value in arguments.items()
    )


def restored(
    arguments: dict[str, Any], before: dict[str, int], given: dict[str, np.ndarray]
) -> dict[str, Any]:
    """Returns, as `after.NAME`, the tensors that were written to although they hold the same
    numbers again: meanwhile, another thread would have seen others.
    """
    return {
        f"after.{name}": Absent()
        for name, count in before.items()
        if arguments[name]._version != count and _holds(arguments[name], given[name])
    }


def _holds(tensor: Any, value: np.ndarray) -> bool:
    held = tensor.detach().numpy()
    return np.array_equal(held, value, equal_nan=value.dtype.kind == "f")


def built(
    cls: Any,
    entry: dict[str, Any],
    case: dict[str, Any],
    state: dict[str, Any],
    tensors: dict[str, Any],
) -> tuple[Any, dict[str, Any]]:
    """Returns a module with the state of the case, and its parameters. Raises `BadState`."""
    import torch

    bound, keywords = bind(entry["init"], case["init"])
    module = cls(*bound, **keywords)
    if not isinstance(module, torch.nn.Module):
        made = name_of(type(module)) if type(module) is not cls else ""
        raise BadState("not_a_module", entry=entry["name"], made=made)
    parameters = dict(module.named_parameters(remove_duplicate=False))
    # a layer that also stands in an nn.ModuleList has two names, and is one layer
    named = {id(parameters[n]) for n in state if n in parameters}
    missing, extra = (
        [n for n in state if n not in parameters],
        [n[:NAME_CHARS] for n, p in parameters.items() if id(p) not in named][:NAMES],
    )
    if missing or extra:
        raise BadState("parameter_names", missing=missing[:NAMES], unexpected=extra)
    for name, value in state.items():
        if tuple(parameters[name].shape) != value.shape:
            raise BadState(
                "parameter_shape",
                parameter=name,
                shape=list(parameters[name].shape),
                expected=list(value.shape),
            )
    floats = [v.dtype for n, v in tensors.items() if v.dtype.kind == "f"]
    if floats:
        module.to(
            torch.from_numpy(
                tensors[next(n for n, v in tensors.items() if v.dtype.kind == "f")][:0].copy()
            ).dtype
        )
    with torch.no_grad():
        for name, value in state.items():
            parameters[name].copy_(torch.from_numpy(value.copy()))
    module.train(bool(case["train"]))
    return module, parameters
