"""What is written to during a call in PyTorch, and put back."""

from typing import Any

import numpy as np
import pytest

from grader.inside.call import call

ENTRY = {"name": "f", "params": [("x", True)], "init": [], "returns": ["y"]}


def told(body: str) -> str:
    """What is told of `x` after the call `f(x)`."""
    source = f"def f(x):\n    {body}\n"
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    setup = {"kind": "function", "framework": "torch", "names": ["f"], "source": source}
    meta = {
        "case": {"layout": {}, "options": {}, "nested": {}, "draws": 0, "then": ""},
        "entry": ENTRY,
        "returns": ["y"],
        "wants": ["after.x"],
        "nested": [],
        "salt": 1,
    }
    found, _ = call(namespace, setup, meta, {"inputs.x": np.array([1.0, np.nan])})
    assert found["ended"] == "returned", found
    return str(found["dtypes"]["after.x"])


@pytest.mark.torch
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x.mul_(2).div_(2); return x + 1", "absent:nothing"),
        ("x[0] += 1; x[0] -= 1; return x + 1", "absent:nothing"),
        ("y = x.view(-1); y.neg_().neg_(); return x + 1", "absent:nothing"),
        ("x.add_(1); return x + 1", "float64"),  # its values tell
        ("return x.clone().mul_(2)", "float64"),
        ("return x.detach().unsqueeze(0)[0] + 1", "float64"),
    ],
)
def test_a_tensor_that_is_written_to_and_put_back(body: str, expected: str) -> None:
    assert told(body) == expected
