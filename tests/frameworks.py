"""Which tests need PyTorch: those marked `torch`, and those that run something and name `TORCH`, open
a page for it or have a parameter that is for it. A quick test runs nothing, so only its marker counts.

Where PyTorch is not installed they are skipped, with the reason in the summary; where it is, none
is.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.frameworks import has
from grader.model import Framework
from grader.problem import Problem, load, slugs
from tests import ROOT, spread

REASON = "needs PyTorch, which is not installed"


def skip_missing(items: list[pytest.Item]) -> None:
    """Skips what needs PyTorch, if it is not installed."""
    if has(Framework.TORCH):
        return
    alone = {slug for slug in slugs(ROOT) if not load(ROOT, slug).runnable}
    for item in items:
        if needs_torch(item, alone):
            item.add_marker(pytest.mark.skip(reason=REASON))


def needs_torch(item: pytest.Item, alone: set[str]) -> bool:
    """Whether a test is marked, names PyTorch or has a parameter for it; `alone` are the slugs of
    problems for nothing else. A test of NumPy alone never needs it.
    """
    if item.get_closest_marker("torch"):
        return True
    if spread.is_quick(item) or "numpy_alone" in getattr(item, "fixturenames", ()):
        return False
    code = getattr(getattr(item, "function", None), "__code__", None)
    if code is not None and ("TORCH" in code.co_names or any(map(_opens_it, code.co_consts))):
        return True
    callspec = getattr(item, "callspec", None)
    values = callspec.params.values() if callspec is not None else ()
    return any(_is_torch(value, alone) for each in values for value in _flat(each))


def _flat(value: object) -> Iterator[object]:
    """A parameter, or what a tuple of it holds."""
    if isinstance(value, tuple):
        yield from value
    else:
        yield value


def _opens_it(constant: object) -> bool:
    return isinstance(constant, str) and "framework=torch" in constant


def _is_torch(value: object, alone: set[str]) -> bool:
    if isinstance(value, Problem):
        return value.slug in alone
    if getattr(value, "framework", None) == Framework.TORCH:  # an attack, or another submission
        return True
    if isinstance(value, Path):
        value = value.stem
    return isinstance(value, str) and (
        value in (Framework.TORCH, *alone) or value.removesuffix(".py").endswith("_torch")
    )
