"""Answers what is asked of an assembled model: takes one part after another, writes, and tells
where it looks. Runs inside the room only.

A part is loaded, and called once with numbers of the model's shapes, in an exchange of its own: one
that never ends, or ends the process, is then known by name.
"""

import io
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from grader.inside.assembly import layers
from grader.inside.assembly.layers import Parts
from grader.inside.assembly.model import Model
from grader.inside.assembly.parts import Broken, Part

Frame = tuple[dict[str, Any], dict[str, Any]]


def answer(
    setup: dict[str, Any],
    weights: dict[str, np.ndarray],
    send: Callable[[dict[str, Any], dict[str, Any]], None],
    receive: Callable[[], Frame],
) -> None:
    """Answers until the judge closes the channel. What the parts print goes nowhere."""
    sys.stdout = sys.stderr = Nowhere()
    assembly = Assembly(setup["config"], weights)
    send({"frame": "ready"}, {})
    while True:
        request, _ = receive()
        try:
            meta, tensors = assembly.answer(request)
        except Broken as broken:
            meta, tensors = {"frame": "broken", "part": broken.slug, "error": broken.error}, {}
        send(meta, tensors)


class Nowhere(io.TextIOBase):
    """A file that forgets what is written: a part that prints is called thousands of times."""

    def writable(self) -> bool:
        """It takes every text."""
        return True

    def write(self, text: str) -> int:
        """Returns how many characters were taken."""
        return len(text)


class Assembly:
    """The parts so far, the model once they are all there, and the text that is being written."""

    def __init__(self, config: dict[str, Any], weights: dict[str, np.ndarray]) -> None:
        self.config, self.weights = config, weights
        self.parts: dict[str, Part] = {}
        self.text: Iterator[int] = iter(())

    def answer(self, request: dict[str, Any]) -> Frame:
        """Returns the reply to one frame. Raises `Broken`."""
        if request["frame"] == "part":
            part = Part(request["slug"], request["framework"], request["source"])
            self.parts[part.slug] = part
            Rehearsal(part, self.config, self.weights).run()
            return {"frame": "loaded"}, {}
        if request["frame"] == "maps":
            maps = Model(self.parts, self.weights, self.config).maps(request["tokens"])
            return {"frame": "maps"}, maps
        if request["frame"] == "write":
            self.text = Model(self.parts, self.weights, self.config).write(request)
        return {"frame": "token", "token": next(self.text)}, {}


class Rehearsal:
    """One call of a part, as long as the model's context."""

    def __init__(self, part: Part, config: dict[str, Any], weights: dict[str, np.ndarray]) -> None:
        import torch

        torch.set_grad_enabled(False)
        self.part, self.config, self.weights = part, config, weights
        self.parts = Parts({part.slug: part}, config["heads"], config["eps"])
        rows = np.arange(config["context"]) % len(weights["embedding"])
        self.x = torch.from_numpy(weights["embedding"][rows].astype(np.float32))[None]  # (1, n, E)

    def run(self) -> None:
        """Raises `Broken`."""
        calls: dict[str, Callable[[], Any]] = {
            layers.SOFTMAX: lambda: self.parts.weights(self._heads(), self._heads()),
            layers.HEADS: lambda: self.parts.merge(self.parts.split(self.x)),
            layers.NORM: lambda: self.parts.norm(self.x, self.x[0, 0]),
            layers.ROTARY: lambda: self.parts.rotate(self._heads(), self._places()),
            layers.FORWARD: lambda: layers.Forward(self._layer("rotary")).run(self.x),
            layers.BLOCK: lambda: self._layer("block").forward(self.x),
            layers.CACHE: lambda: layers.Attention(self._layer("cached")).run(self.x),
            layers.SAMPLING: lambda: self.part.call("next_token", self.x[0, 0], 1.0, 0, 1.0, 0.5),
        }
        calls[self.part.slug]()

    def _heads(self) -> Any:
        """(1, H, n, D), without the part that splits."""
        n, E = self.x.shape[1:]
        H = self.config["heads"]
        return self.x.reshape(1, n, H, E // H).transpose(1, 2).contiguous()

    def _places(self) -> Any:
        import torch

        return torch.arange(self.x.shape[1])

    def _layer(self, kind: str) -> layers.Layer:
        number = self.config["layers"].index(kind)
        own = f"{number}."
        state = {n.removeprefix(own): w for n, w in self.weights.items() if n.startswith(own)}
        if kind == "block":
            return layers.Block(self.parts, state)
        return layers.Layer(self.parts, state)
