"""One case, one call: build the arguments, call the entry point, collect what the case wants.

Runs inside the room only.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from grader.inside import driver, nested, tracing
from grader.inside.arguments import (
    BadState,
    argument,
    bind,
    built,
    modified,
    renewed,
    restored,
    reused,
    versions,
)
from grader.inside.describe import Absent, describe, name_of, plain


def call(
    namespace: dict[str, Any], setup: dict[str, Any], meta: dict[str, Any], tensors: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Answer one case: the facts as meta, the tensors by name."""
    try:
        returned, arguments, parameters, written = _invoke(namespace, setup, meta, tensors)
        values = _collect(setup, meta, returned, arguments, parameters)
    except BadState as error:
        return {
            "ended": "bad_state",
            "error": {"type": error.code, "details": error.details},
        }, {}
    except BaseException as error:
        return {"ended": "raised", "error": _described(error, setup)}, {}
    dtypes, arrays = {}, {}
    framework = "values" if setup["kind"] == "values" else setup["framework"]
    for name, value in _parts(values, meta["nested"]):
        dtypes[name], array = plain(value, framework)
        if array is not None:
            arrays[name] = array
    return {"ended": "returned", "dtypes": dtypes} | ({"modified": True} if written else {}), arrays


def _parts(values: dict[str, Any], names: list[str]) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if name in names:
            yield from nested.leaves(name, value).items()
        else:
            yield name, value


def _described(error: BaseException, setup: dict[str, Any]) -> dict[str, Any]:
    told = describe(error, setup["source"])
    return told if told.get("trace") else {**told, **driver.place(error, setup)}


def _invoke(
    namespace: dict[str, Any], setup: dict[str, Any], meta: dict[str, Any], tensors: dict[str, Any]
) -> tuple[Any, dict[str, Any], dict[str, Any], bool]:
    """What was returned, the arguments, the parameters, and whether an argument was written to."""
    case, entry = meta["case"], meta["entry"]
    grads = {name[5:] for name in meta["wants"] if name.startswith("grad.")}
    given, earlier = (
        {name[7:]: array for name, array in tensors.items() if name.startswith(group)}
        for group in ("inputs.", "before.")
    )
    arguments = {
        name: argument(value, setup["framework"], case["layout"].get(name, ""), name in grads)
        for name, value in given.items()
    }
    if setup["kind"] == "values":
        values = tuple(
            _row(namespace[name], case["options"].get("row")) for name in entry["returns"]
        )
        return values if len(values) > 1 else values[0], {}, {}, False
    if entry["name"] not in setup["names"]:
        return _drive(namespace, setup, meta, tensors, arguments, given, earlier)
    function: Any = namespace[entry["name"]]
    parameters: dict[str, Any] = {}
    if setup["kind"] == "module":
        state = {name[6:]: tensors[name] for name in sorted(tensors) if name.startswith("state.")}
        function, parameters = built(function, entry, case, state, tensors)
    if earlier:
        # what is kept by reference shows after the first of the two, by identity after the second
        others = {n: argument(v, setup["framework"], "", False) for n, v in earlier.items()}
        learns = bool(parameters and grads)
        for again in (others, reused(arguments, earlier, others)):
            whole = nested.rebuilt(case["nested"].get("before", {}), again)
            bound, keywords = bind(entry["params"], {**whole, **case["options"]})
            learns = _step_back(function(*bound, **keywords), learns, first=again is others)
            others = again
        arguments = renewed(arguments, others, given, setup["framework"], case["layout"], grads)
        tracing.began(namespace)
    whole = nested.rebuilt(case["nested"].get("inputs", {}), arguments)
    held = nested.held(whole, case["nested"].get("inputs", {}))
    bound, keywords = bind(entry["params"], {**whole, **case["options"]})
    if case["draws"]:
        return (
            _statistics(function, bound, keywords, case["draws"], entry["returns"]),
            arguments,
            parameters,
            False,
        )
    counts = versions(arguments)
    returned = _plain_tuple(function(*bound, **keywords))
    if case["then"]:
        returned = _plain_tuple(
            namespace[case["then"]](*(returned if type(returned) is tuple else (returned,)))
        )
    after = nested.afterwards(held, whole) | restored(arguments, counts, given)
    written = modified(arguments, counts, given)
    return returned, arguments | after, parameters, written


def _step_back(returned: Any, learns: bool, first: bool) -> bool:
    """Goes back through an earlier call of a module that learns, as training does: of a graph that
    it keeps from one call to the next, the second step finds nothing left.

    Returns whether the module learns. Raises only in a later step: a gradient that fails at once
    fails where it is wanted.
    """
    if not learns:
        return False
    import torch

    values = returned if type(returned) in (tuple, list) else (returned,)
    learning = [v for v in values if isinstance(v, torch.Tensor) and v.requires_grad]
    try:
        if learning:
            torch.autograd.backward([value.sum() for value in learning])
    except Exception:
        if first:
            return False
        raise
    return bool(learning)


def _drive(
    namespace: dict[str, Any],
    setup: dict[str, Any],
    meta: dict[str, Any],
    tensors: dict[str, Any],
    arguments: dict[str, Any],
    numbers: dict[str, Any],
    earlier: dict[str, Any],
) -> tuple[Any, dict[str, Any], dict[str, Any], bool]:
    """Lets the problem's driver call the solution."""
    case = meta["case"]
    run, parameters = driver.driven(namespace, setup, meta, tensors)
    if earlier:
        others = {n: argument(v, setup["framework"], "", False) for n, v in earlier.items()}
        run(**nested.rebuilt(case["nested"].get("before", {}), others), **case["options"])
        tracing.began(namespace)
    given = {**nested.rebuilt(case["nested"].get("inputs", {}), arguments), **case["options"]}
    if case["draws"]:
        drawn = _statistics(run, [], given, case["draws"], meta["entry"]["returns"])
        return drawn, arguments, parameters, False
    counts = versions(arguments)
    returned = _plain_tuple(run(**given))
    return returned, arguments, parameters, modified(arguments, counts, numbers)


def _plain_tuple(returned: Any) -> Any:
    """A named tuple as what it holds, whatever its own methods say; anything else as it is."""
    return tuple(tuple.__iter__(returned)) if issubclass(type(returned), tuple) else returned


def _row(value: Any, row: int | None) -> Any:
    """One row of a table written down by hand, where the case asks for one; what is no table is
    told as it is.
    """
    if row is None or type(value) not in (list, tuple):
        return value
    return value[row] if row < len(value) else Absent("rows", len(value))


def _statistics(
    function: Any, bound: list[Any], keywords: dict[str, Any], draws: int, returns: list[str]
) -> Any:
    """What each last-axis entry of a returned tensor comes to over all draws and all other axes, in
    float64.

    `mean`, `least` and `most` are (E,). `spread` is the standard deviation along the draws, then
    along each axis of the tensor but the last: it is 0 along an axis whose entries share one draw.
    """
    import torch

    drawn: dict[str, list[Any]] = {name: [] for name in returns}
    with torch.no_grad():
        for _ in range(draws):
            returned = function(*bound, **keywords)
            values = returned if len(returns) > 1 else (returned,)
            for name, value in zip(returns, values, strict=True):
                drawn[name].append(value.double())
    statistics = {}
    for name in returns:
        whole = torch.stack(drawn[name])  # (draws, ..., E)
        flat = whole.flatten(0, -2)
        statistics[f"mean.{name}"], statistics[f"least.{name}"], statistics[f"most.{name}"] = (
            flat.mean(0),
            flat.amin(0),
            flat.amax(0),
        )
        variances = [
            whole.var(axis, correction=0).reshape(-1, whole.shape[-1]).mean(0)
            for axis in range(whole.dim() - 1)
        ]
        statistics[f"spread.{name}"] = torch.stack(variances).sqrt()
    return statistics


def _collect(
    setup: dict[str, Any],
    meta: dict[str, Any],
    returned: Any,
    arguments: dict[str, Any],
    parameters: dict[str, Any],
) -> dict[str, Any]:
    """What the case wants, by name.

    A value of the wrong kind is kept as it is: `plain` will say what it is.
    """
    returns, wants = meta["returns"], meta["wants"]
    if meta["case"]["draws"] and type(returned) is dict:
        return {name: returned.get(name, Absent()) for name in wants}
    if len(returns) == 1:
        values = {returns[0]: returned}
    elif type(returned) in (tuple, list) and len(returned) == len(returns):
        values = dict(zip(returns, returned, strict=True))
    else:
        absent = Absent() if returned is None else Absent("one", name_of(type(returned)))
        if type(returned) in (tuple, list):
            absent = Absent("items", len(returned), name_of(type(returned)))
        values = dict.fromkeys(returns, absent)
    wanted = {name: values[name] for name in wants if name in values}
    wanted |= {
        name: arguments[name if name in arguments else name[6:]]
        for name in wants
        if name.startswith("after.")
    }
    grads = [name for name in wants if name.startswith("grad.")]
    if grads:
        wanted |= _gradients(
            grads,
            {n: v for n, v in wanted.items() if n in values} or values,
            {**arguments, **parameters},
            meta["salt"],
        )
    return wanted


def _gradients(
    names: list[str], values: dict[str, Any], leaves: dict[str, Any], seed: int
) -> dict[str, Any]:
    """Vector-Jacobian products with a cotangent drawn from the seed: a sum() would hide every error
    that cancels.

    Written as the gradient of a scalar, the sum of cotangent * value, which is the same:
    torch.autograd.grad with cotangents of its own imports SymPy to compare their shapes, a third of
    a second in a cold room, and forty MiB in every one.
    """
    import torch

    total: Any = None
    for i, value in enumerate(
        v for v in values.values() if isinstance(v, torch.Tensor) and v.requires_grad
    ):
        cotangent = np.asarray(np.random.default_rng([seed, i]).standard_normal(tuple(value.shape)))
        product = (torch.from_numpy(cotangent).to(value.dtype) * value).sum()
        total = product if total is None else total + product
    if total is None:
        return {name: Absent("detached") for name in names}
    wanted = {name: leaves[name[5:]] for name in names}
    for leaf in wanted.values():
        leaf.grad = None
    # not torch.autograd.grad: a reentrant checkpoint refuses it, and is a right solution
    total.backward()
    return {
        name: Absent("unreached") if leaf.grad is None else leaf.grad
        for name, leaf in wanted.items()
    }
