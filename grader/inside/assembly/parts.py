"""The parts of an assembled model: each one's source in a module of its own, called with arrays of
its framework.

Between parts, everything is a float32 tensor of torch. What a part gets is a copy, and what it
returns must have the shape that its statement says. Runs inside the room only.
"""

import linecache
import sys
import types
from typing import Any

import numpy as np

from grader.inside.arguments import BadState, built
from grader.inside.describe import describe, name_of


class Broken(Exception):
    """A part that cannot be used: which one, and its error as plain text."""

    def __init__(self, slug: str, error: dict[str, Any]) -> None:
        self.slug, self.error = slug, error


class Part:
    """One solution: its functions are called, its modules built, in its own framework."""

    def __init__(self, slug: str, framework: str, source: str) -> None:
        self.slug, self.framework, self.source = slug, framework, source
        self.file = f"{slug}.py"
        lines = source.splitlines(keepends=True)
        linecache.cache[self.file] = (len(source), None, lines, self.file)
        module = sys.modules[slug] = types.ModuleType(slug)
        self.namespace = module.__dict__
        try:
            exec(compile(source, self.file, "exec"), self.namespace)
        except BaseException as error:
            raise self.broken(error) from None

    def broken(self, error: BaseException) -> Broken:
        """Returns what is told of an exception that came out of this part."""
        return Broken(self.slug, describe(error, self.source, self.file))

    def call(self, name: str, *given: Any) -> Any:
        """Returns what a function of the part returns. Raises `Broken`."""
        try:
            return self.namespace[name](*map(self._given, given))
        except BaseException as error:
            raise self.broken(error) from None

    def tensor(self, name: str, shape: tuple[int, ...], *given: Any) -> Any:
        """Returns the float32 tensor of that shape that a function returns. Raises `Broken`."""
        return self.taken(self.call(name, *given), shape)

    def module(self, name: str, init: dict[str, Any], state: dict[str, np.ndarray]) -> Any:
        """Returns a module of the part with its weights. Raises `Broken`."""
        entry = {"name": name, "init": [(key, True) for key in init]}
        case = {"init": init, "train": False}
        try:
            return built(self.namespace[name], entry, case, state, state)[0]
        except BadState as error:
            raise Broken(self.slug, {"type": error.code, "details": error.details}) from None
        except BaseException as error:
            raise self.broken(error) from None

    def run(self, module: Any, *given: Any) -> Any:
        """Returns what a module of the part returns. Raises `Broken`."""
        try:
            return module(*map(self._given, given))
        except BaseException as error:
            raise self.broken(error) from None

    def taken(self, value: Any, shape: tuple[int, ...]) -> Any:
        """Returns a result as a float32 tensor of that shape. Raises `Broken` for anything else."""
        import torch

        tensor = torch.from_numpy(value) if type(value) is np.ndarray else value
        if type(tensor) is not torch.Tensor or tuple(tensor.shape) != shape:
            came = list(tensor.shape) if type(tensor) is torch.Tensor else name_of(type(value))
            raise Broken(self.slug, {"type": "result", "text": f"{came}; due is {list(shape)}"})
        return tensor.detach().to(torch.float32)

    def _given(self, value: Any) -> Any:
        """An argument as the part gets it: a copy of a tensor, in its framework."""
        import torch

        if type(value) is not torch.Tensor:
            return value
        return value.numpy().copy() if self.framework == "numpy" else value.clone()
