"""What an earlier call returned, and what is written to during a call."""

from typing import Any

import numpy as np
import pytest

from grader.inside.call import call

ENTRY = {"name": "f", "params": [("x", True)], "init": [], "returns": ["y"]}
X, BEFORE = np.array([1.0, 2.0]), np.array([3.0, 4.0])


def called(
    body: str,
    framework: str = "numpy",
    returns: tuple[str, ...] = ("y",),
    wants: tuple[str, ...] = (),
) -> dict[str, Any]:
    """What is told of the results of `f(x)` after a call with other numbers."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    source = f"import numpy as np\nbuffer = np.zeros(2)\ndef f(x):\n{lines}"
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    setup = {"kind": "function", "framework": framework, "names": ["f"], "source": source}
    case = {"layout": {}, "options": {}, "nested": {}, "draws": 0, "then": ""}
    meta = {
        "case": case,
        "entry": {**ENTRY, "returns": list(returns)},
        "returns": list(returns),
        "wants": list(wants or returns),
        "nested": [],
        "salt": 1,
    }
    told, _ = call(namespace, setup, meta, {"inputs.x": X, "before.x": BEFORE})
    assert told["ended"] == "returned", told
    return dict(told["dtypes"])


OVERWRITING = {
    "a buffer": "buffer[:] = 2 * x\nreturn buffer",
    "a view of a buffer": "buffer[:] = 2 * x\nreturn buffer[::-1]",
    "out=": "return np.multiply(x, 2, out=buffer)",
    "NaN, and then numbers": "buffer[:] = np.where(x > 2, np.nan, x)\nreturn buffer",
}


@pytest.mark.parametrize("body", OVERWRITING.values(), ids=list(OVERWRITING))
def test_a_result_that_the_next_call_changes(body: str) -> None:
    assert called(body) == {"y": "absent:overwritten"}


def test_one_of_two_results() -> None:
    body = "buffer[:] = x\nreturn buffer, x * 2"
    told = called(body, returns=("y", "z"))
    assert told == {"y": "absent:overwritten", "z": "absent:overwritten"}


OWN = {
    "a new array": "return x * 2",
    "a view of the input": "return x[::-1]",
    "the input": "return x",
    "the same array with the same numbers": "return buffer",
    "NaN in it": "return np.full(2, np.nan)",
    "a copy of a buffer": "buffer[:] = x\nreturn buffer.copy()",
    "nothing at first": "if x[0] > 2:\n    return None\nreturn x * 2",
}


@pytest.mark.parametrize("body", OWN.values(), ids=list(OWN))
def test_a_result_of_its_own(body: str) -> None:
    assert called(body) == {"y": "float64"}


@pytest.mark.torch
def test_a_tensor_that_the_next_call_changes() -> None:
    import torch

    body = "import torch\nt = torch.from_numpy(buffer)\n"
    assert called(body + "return t.copy_(2 * x)", "torch") == {"y": "absent:overwritten"}
    assert called(body + "return t.copy_(2 * x).clone()", "torch") == {"y": "float64"}
    assert called("return x.view(-1)", "torch") == {"y": "float64"}
    assert torch.is_grad_enabled()


@pytest.mark.torch
@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("x.mul_(2).div_(2)\nreturn x + 1", "absent:nothing"),
        ("x[0] += 1\nx[0] -= 1\nreturn x + 1", "absent:nothing"),
        ("y = x.view(-1)\ny.neg_().neg_()\nreturn x + 1", "absent:nothing"),
        ("x.add_(1)\nreturn x + 1", "float64"),  # its values tell
        ("return x.clone().mul_(2)", "float64"),
        ("return x.detach().unsqueeze(0)[0] + 1", "float64"),
    ],
)
def test_a_tensor_that_is_written_to_and_put_back(body: str, told: str) -> None:
    assert called(body, "torch", wants=("after.x",)) == {"after.x": told}
