"""Dataclasses, named tuples, enumerations, slots."""

import dataclasses
import enum
from typing import NamedTuple


@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Shape:
    rows: int
    columns: int = 3


class Kind(enum.StrEnum):
    A = enum.auto()


class Pair(NamedTuple):
    left: int
    right: int = 2


def work():
    return dataclasses.replace(Shape(1), rows=2) > Shape(1) and Kind.A == "a" and Pair(1).right == 2
