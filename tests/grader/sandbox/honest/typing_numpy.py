"""Annotations, generics, protocols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar, get_type_hints

T = TypeVar("T")


class Box(Generic[T]):
    def __init__(self, value: T) -> None:
        self.value = value


class Sized(Protocol):
    def __len__(self) -> int: ...


def work(size: int = 3, make: Callable[[int], list[int]] = lambda n: [n]) -> bool:
    return get_type_hints(work)["size"] is int and Box[int](4).value == 4
