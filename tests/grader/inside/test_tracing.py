"""The room's half of a trace: what is reported, that the program stays the same, and the bounds."""

import json
import sys
import time
from typing import Any

import numpy as np
import pytest

from grader.inside import frames, tracing
from grader.inside.instrument import HOOK
from grader.inside.tracing import REPEATS, STEPS, TraceEnd


def traced(source: str, seconds: float = 20.0) -> tuple[dict[str, Any], dict[str, Any], Any]:
    """The frame of a program whose function `f` is called, its arrays, and what `f` returned."""
    code, hook = tracing.compiled(source, "numpy", seconds)
    namespace: dict[str, Any] = {"np": np, **hook}
    exec(code, namespace)
    returned = namespace["f"](np.arange(6.0).reshape(2, 3)) if "f" in namespace else None
    meta, arrays = tracing.result(namespace)
    return meta, arrays, returned


def rows(meta: dict[str, Any]) -> list[tuple[str, str, int]]:
    return [(s["kind"], s["name"], s["line"]) for s in meta["steps"] if s["kind"] != "expression"]


ASSIGNMENTS = [
    ("y = x + 1", [("assign", "y", 2)]),
    ("y: object = x", [("assign", "y", 2)]),
    ("y = z = x", [("assign", "y", 2), ("assign", "z", 2)]),
    ("y, z = x, x + 1", [("assign", "y", 2), ("assign", "z", 2)]),
    ("y, *z = x", [("assign", "y", 2), ("assign", "z", 2)]),
    ("x += 1", [("change", "x", 2)]),
    ("x[0] = 7", [("change", "x", 2)]),
    ("x[0][1:] -= 7", [("change", "x", 2)]),
    ("f.kept = x", [("assign", "f.kept", 2)]),
    ("(y := x * 2)", [("assign", "y", 2)]),
    ("np.add(x, 1, out=x)", [("change", "x", 2)]),
    ("y = (\n  x\n  + 1)", [("assign", "y", 2)]),
    ("y = 1; z = 2", [("assign", "y", 2), ("assign", "z", 2)]),
    ("for row in x: pass", [("loop", "row", 2), ("loop", "row", 2)]),
    ("y = [a * 2 for a in x]", [("assign", "y", 2)]),
    ("y = lambda a: a", []),
    ("return x * 2", [("return", "x * 2", 2)]),
    ("return x, x + 1", [("return", "x", 2), ("return", "x + 1", 2)]),
    (
        "return tuple([x, x])",
        [("return", "tuple([x, x])[0]", 2), ("return", "tuple([x, x])[1]", 2)],
    ),
]


@pytest.mark.parametrize(("line", "expected"), ASSIGNMENTS, ids=[a for a, _ in ASSIGNMENTS])
def test_each_kind_of_assignment_is_reported(
    line: str, expected: list[tuple[str, str, int]]
) -> None:
    meta, _, _ = traced(f"def f(x):\n    {line}")
    assert rows(meta) == [("argument", "x", 1), *expected]
    assert meta["cut"] == []


PROGRAM = '''
"""Uses what is easy to break by rewriting."""
from __future__ import annotations
import numpy as np

SCALE: float = 0.5

class Layer:
    """A class."""
    half = SCALE
    def __init__(self, n): super().__init__(); self.w = np.eye(n)
    def __call__(self, x, *rest, key=None, **more):
        """Doc."""
        y = x @ self.w
        y[0, :] *= 2
        for i in range(50):
            y[i % 2] = y[i % 2] + i
        match y.shape:
            case (2, n) if n > 1: z = y * self.half
            case _: z = None
        return z

def pieces(x):
    for row in x:
        half = row / 2
        yield half

def f(x):
    """Doc."""
    global SEEN
    SEEN = True
    total, count = 0.0, 0
    try:
        x @ np.ones((7, 7))
    except ValueError as error:
        count += 1
    with np.errstate(all="ignore"):
        for i, piece in enumerate(pieces(x)):
            total = total + piece.sum() if i % 2 == 0 else total - piece.sum()
    if (big := Layer(3)(x.copy(), 1, key=2, other=3)).size > 1 and count:
        total += float(big.sum())
    while count < 3: count += 1
    del big
    return f"{total:.3f}", count, [a for a in x.ravel() if a > 1], locals().keys() >= {"x"}
'''


def test_a_program_does_the_same_when_it_is_traced() -> None:
    namespace: dict[str, Any] = {}
    exec(compile(PROGRAM, "solution.py", "exec"), namespace)
    plain = namespace["f"](np.arange(6.0).reshape(2, 3))
    meta, _, returned = traced(PROGRAM)
    assert returned == plain and plain[1] == 3
    assert meta["cut"] == [] and len(meta["steps"]) > 20


@pytest.mark.parametrize("call", ["np.empty((2, 3))", "np.empty_like(x)", "numpy.empty(x.shape)"])
def test_memory_that_is_not_written_yet_is_traced_as_zeros(call: str) -> None:
    """What it held before may be a value of another step."""
    source = f"import numpy\ndef f(x):\n    z = np.exp(x); del z\n    y = {call}\n    return y"
    meta, arrays, _ = traced(source)
    (number,) = (
        i for i, step in enumerate(meta["steps"]) if step["name"] == "y" and step["line"] == 4
    )
    assert not arrays[str(number)].any()


def test_an_empty_of_ones_own_is_left_alone() -> None:
    meta, _, returned = traced(
        "class Queue:\n    def empty(self, x):\n        return x\nqueue = Queue()\n"
        "def f(x):\n    return queue.empty(x)"
    )
    assert returned.shape == (2, 3) and not meta["cut"]


def test_an_exception_names_the_line_of_the_source() -> None:
    code, hook = tracing.compiled(
        "def f(x):\n    y = x\n    return (\n        y @ 3)\n", "numpy", 5.0
    )
    namespace: dict[str, Any] = {**hook}
    exec(code, namespace)
    with pytest.raises(ValueError) as caught:
        namespace["f"](np.ones(2))
    assert caught.traceback[-1].lineno + 1 == 4


def test_a_step_names_the_steps_that_it_is_made_of() -> None:
    source = "def g(a):\n    return a * 2\n\ndef f(x):\n    y = g(x + 1)\n    n = x.shape[0]\n    z = y / n\n    return z"
    meta, _, _ = traced(source)
    steps = meta["steps"]
    names = [s["name"] for s in steps]
    made = {
        s["name"]: [names[i] for i in s["reads"]]
        for s in steps
        if s["name"] != "z" or s["kind"] == "assign"
    }
    assert made["x + 1"] == ["x"]
    assert made["a"] == ["x + 1"], "an argument is known by its identity"
    assert "a * 2" in made["y"], "what a function returns goes into what it is assigned to"
    assert made["n"] == [], "a size says nothing of the values"
    assert set(made["z"]) == {"y", "n"}
    assert [s["depth"] for s in steps if s["name"] == "a * 2"] == [1]


def test_of_a_loop_the_first_and_the_last_steps_are_kept() -> None:
    meta, arrays, _ = traced(
        "def f(x):\n    y = np.zeros(1000)\n    for i in range(1000):\n        y[i] = i\n"
    )
    changes = [(i, s) for i, s in enumerate(meta["steps"]) if s["kind"] == "change"]
    assert len(changes) == REPEATS
    number, last = changes[-1]
    assert last["count"] == 1000 - REPEATS + 1
    assert np.array_equal(arrays[str(number)], np.arange(1000.0))


MANY = "".join(f"    a{i} = x + {i}\n" for i in range(1000))


def test_steps_and_bytes_are_bounded() -> None:
    meta, arrays, _ = traced(f"def f(x):\n    x = np.zeros(4096)\n{MANY}")
    assert len(meta["steps"]) == STEPS
    assert meta["cut"] == ["bytes", "steps"]
    assert sum(a.nbytes for a in arrays.values()) <= tracing.KEPT_BYTES
    assert len(json.dumps(meta)) < 1 << 19
    frames.encode(meta, arrays)


def test_of_a_large_tensor_the_first_values_and_the_range_are_kept() -> None:
    meta, arrays, _ = traced("def f(x):\n    y = np.arange(10_000.0)\n    y[0] = -np.inf\n")
    step = meta["steps"][-1]
    assert step["shape"] == [10_000] and step["range"] == [1.0, 9999.0, 5000.0]
    assert arrays[str(len(meta["steps"]) - 1)].size == tracing.SOME


def test_a_program_without_an_end_is_ended() -> None:
    code, hook = tracing.compiled("def f(x):\n    while True:\n        x = x + 1\n", "numpy", 0.2)
    namespace: dict[str, Any] = {**hook}
    exec(code, namespace)
    started = time.monotonic()
    with pytest.raises(TraceEnd):
        namespace["f"](np.zeros(2))
    assert time.monotonic() - started < 60
    meta, _ = tracing.result(namespace)
    assert meta["cut"] == ["time"] and meta["steps"][-1]["count"] > 1


LIARS = """
class Meta(type):
    @property
    def __name__(cls): raise SystemExit
class Liar(metaclass=Meta):
    def __getattribute__(self, name): raise KeyboardInterrupt
    def __repr__(self): raise SystemExit
    def __eq__(self, other): raise SystemExit
    __hash__ = None
class Array(np.ndarray):
    @property
    def shape(self): raise SystemExit
    def copy(self): raise SystemExit
def f(x):
    a = Liar()
    b = x.view(Array)
    c = 10 ** 5000
    d = np.zeros((1,) * 20)
    e = np.array(["x" * 1000])
    g = 3 + 4j
    return 1
"""


def test_what_lies_about_itself_is_told_by_its_type() -> None:
    meta, arrays, _ = traced(LIARS)
    found = {s["name"]: (s["dtype"], s.get("shape")) for s in meta["steps"]}
    assert found["a"] == ("Liar", None) and found["b"] == ("Array", None)
    assert found["c"] == ("int", None) and found["d"][1] is None
    assert found["e"][1] is None and found["g"] == ("complex", None)
    frames.encode(meta, arrays)


def test_a_source_that_is_nested_too_deeply_runs_and_reports_nothing() -> None:
    source = "x = " + " + ".join(["1"] * 700)
    meta, _, _ = traced(source)
    assert (meta["cut"], meta["steps"]) == (["source"], [])


@pytest.mark.parametrize(
    "source", ["a = 1\r\nb = 'é' + 'x'\rc = (1,\n 2)", "\x0ca = 1\n\x0cb = 2", "a = 1"]
)
def test_any_line_ends_are_read(source: str) -> None:
    meta, _, _ = traced(source)
    assert meta["steps"][0]["name"] == "a" and meta["cut"] == []


def test_a_program_that_puts_something_in_the_place_of_the_hook_reports_nothing() -> None:
    source = f"def f(x):\n    globals()['{HOOK}'] = lambda number, value: 3\n    return x\n"
    meta, arrays, returned = traced(source)
    assert returned == 3, "it harms itself only"
    assert (meta["steps"], arrays) == ([], {})


def test_tracing_leaves_the_trace_function_of_the_interpreter_alone() -> None:
    before = sys.gettrace()
    traced("import sys\ndef f(x):\n    sys.settrace(sys.gettrace())\n    y = x\n    return y\n")
    assert sys.gettrace() is before
