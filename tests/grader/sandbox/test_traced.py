"""A trace that a hostile program wrote: every field is checked before it is used."""

import math
from typing import Any

import numpy as np
import pytest

from grader.inside.instrument import Kind
from grader.inside.tracing import READS, STEPS
from grader.sandbox.traced import Step, decode

GOOD: dict[str, Any] = {
    "kind": "assign",
    "name": "y",
    "line": 3,
    "function": "f",
    "depth": 0,
    "dtype": "float64",
    "shape": [2],
    "range": [0.0, 1.0, 0.5],
    "reads": [],
    "count": 1,
}


def step(**fields: Any) -> Step:
    meta = {"frame": "trace", "cut": [], "steps": [{**GOOD, **fields}]}
    return decode(meta, {"0": np.array([0.0, 1.0])}).steps[0]


def test_an_honest_step_comes_through() -> None:
    found = step()
    assert (found.kind, found.name, found.line, found.shape) == (Kind.ASSIGN, "y", 3, (2,))
    assert found.whole and found.range is not None and found.range.mean == 0.5


@pytest.mark.parametrize(
    ("field", "value", "kept"),
    [
        ("kind", "verdict", Kind.EXPRESSION),
        ("kind", ["assign"], Kind.EXPRESSION),
        ("name", 3, ""),
        ("name", "a\x1b[31m\nb", "a\\x1b[31m b"),
        ("line", -1, 1),
        ("line", 10**30, 1),
        ("line", True, 1),
        ("depth", 10**9, 0),
        ("count", -5, 1),
        ("shape", [2**60], None),
        ("shape", [-1], None),
        ("shape", [1] * 17, None),
        ("shape", "2", None),
        ("range", [1, 2, 3], None),
        ("range", [0.0], None),
        ("reads", [0], ()),  # itself
        ("reads", [5, -1, "x", True], ()),
        ("reads", "01", ()),
    ],
)
def test_a_field_that_is_not_of_its_type_is_left_out(field: str, value: Any, kept: Any) -> None:
    assert getattr(step(**{field: value}), field) == kept


def test_texts_are_cut() -> None:
    assert len(step(name="x" * 10**6).name) < 100
    assert len(step(dtype="\x00" * 10**6).dtype) < 100


def test_values_belong_to_their_shape() -> None:
    assert step(shape=[3]).values is not None, "the first of three"
    assert not step(shape=[3]).whole
    assert step(shape=[1]).values is None
    assert step(shape=[2, 1]).values is None


def test_no_more_steps_than_a_trace_has_are_read() -> None:
    meta = {"frame": "trace", "cut": ["steps", "lies"], "steps": [GOOD] * (STEPS + 50)}
    found = decode(meta, {})
    assert len(found.steps) == STEPS and found.cut == ("steps",)


def test_a_step_names_few_earlier_ones() -> None:
    steps = [GOOD] * 50 + [{**GOOD, "reads": list(range(50))}]
    found = decode({"frame": "trace", "cut": [], "steps": steps}, {}).steps[-1]
    assert len(found.reads) == READS


@pytest.mark.parametrize(
    "meta",
    [
        {},
        {"frame": "result", "steps": [], "cut": []},
        {"frame": "trace", "steps": {}, "cut": []},
        {"frame": "trace", "steps": [], "cut": None},
    ],
)
def test_another_frame_is_no_trace(meta: dict[str, Any]) -> None:
    assert decode(meta, {}).steps == ()


def test_a_step_that_is_nothing_is_harmless() -> None:
    found = decode(
        {"frame": "trace", "cut": [], "steps": [None, 3, [], {"range": [math.nan] * 3}]}, {}
    )
    assert len(found.steps) == 4
