"""Unexplained failures fall together when they do the same, within a bound."""

import time
from types import SimpleNamespace
from typing import Any

import pytest

from server.services.courses.groups import grouped


def does(*values: float, verdict: str = "wrong_answer", room: float = 0.01) -> dict[str, Any]:
    tensors = {f"t{i}": ["form", value, room] for i, value in enumerate(values)}
    return {"failed": 1, "cases": [{"case": "one", "does": [verdict], "tensors": tensors}]}


def rows(*seen: dict[str, Any], **fields: str) -> list[Any]:
    return [
        SimpleNamespace(id=i, behaviour=each, **{"framework": "numpy", "digest": "d", **fields})
        for i, each in enumerate(seen)
    ]


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        ([does(1.0), does(1.005), does(2.0)], [[0, 1], [2]]),
        ([does(1.0), does(1.0, verdict="runtime_error")], [[0], [1]]),
        ([does(1.0), does(1.0, 2.0)], [[0], [1]]),
        ([does(1.0, 2.0), does(1.0, 2.1), does(1.0, 2.0)], [[0, 2], [1]]),
        ([], []),
    ],
    ids=["near", "another verdict", "another tensor", "one tensor differs", "none"],
)
def test_grouped(seen: list[dict[str, Any]], expected: list[list[int]]) -> None:
    assert grouped(rows(*seen)) == expected


def test_frameworks_and_versions_stay_apart() -> None:
    mixed = [*rows(does(1.0)), *rows(does(1.0), framework="torch"), *rows(does(1.0), digest="e")]
    assert len(grouped(mixed)) == 3


@pytest.mark.slow
def test_a_class_of_five_hundred() -> None:
    """All different, which compares each with each."""
    many = rows(*(does(*[1.0] * 40, float(i)) for i in range(500)))
    began = time.monotonic()
    assert len(grouped(many)) == 500
    assert time.monotonic() - began < 30
