"""A model that is put together from several sources in one container: each is a module of its own
there (`grader/inside/assembly/`).

Nothing that is expected of the model goes in.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.inside.frames import FrameLimits, encode
from grader.model import Ended, Failure, Framework, Limits
from grader.sandbox.container import Container
from grader.sandbox.intake import decode
from grader.sandbox.job import MIB

MEMORY_MIB = 512
LIMITS = Limits(wall_s=10, cpu_s=60, memory_mib=MEMORY_MIB, output_mib=4, total_s=60)
NOTHING = FrameLimits(0, tensors=0)


@dataclass(frozen=True, slots=True)
class Source:
    """One part: the problem that it solves, and a solution."""

    slug: str
    framework: Framework
    text: str


@dataclass(frozen=True, slots=True)
class Assembly:
    """What goes into the room: the parts, the weights by name, and the shape of the model."""

    parts: tuple[Source, ...]
    weights: Mapping[str, np.ndarray]
    config: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be written: the text so far as tokens, and how each next one is chosen."""

    tokens: tuple[int, ...]
    temperature: float
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0


class BrokenPart(Exception):
    """A part failed: which one ("": nobody knows), how the exchange ended, and the error."""

    def __init__(self, slug: str, ended: Ended, error: Failure) -> None:
        super().__init__(f"{slug or 'a part'}: {ended}: {error.type} {error.text}".rstrip())
        self.slug, self.ended, self.error = slug, ended, error


class Assembled:
    """A model in its container. Every method raises `BrokenPart`."""

    def __init__(self, child: Container, assembly: Assembly) -> None:
        self._child, self._assembly = child, assembly

    def load(self) -> None:
        """Sends the weights, then every part, and lets each make one call."""
        setup = {"mode": "assembly", "seed": 0, "config": dict(self._assembly.config)}
        weights = {f"weights.{name}": array for name, array in self._assembly.weights.items()}
        self._reply("ready", "", *self._child.start(setup, NOTHING, LIMITS, weights))
        for part in self._assembly.parts:
            fields = {"slug": part.slug, "framework": str(part.framework), "source": part.text}
            self._ask("loaded", {"frame": "part", **fields}, NOTHING, part.slug)

    def write(self, wish: Wish) -> Iterator[int]:
        """Yields one token after another, without end."""
        request: dict[str, Any] = {
            "frame": "write",
            "tokens": list(wish.tokens),
            "temperature": wish.temperature,
            "top_k": wish.top_k,
            "top_p": wish.top_p,
            "seed": wish.seed,
        }
        while True:
            meta, _ = self._ask("token", request, NOTHING)
            token = meta.get("token")
            if type(token) is not int or not 0 <= token < len(self._assembly.weights["embedding"]):
                raise BrokenPart("", Ended.GARBLED, Failure("frame", "no token"))
            yield token
            request = {"frame": "next"}

    def maps(self, tokens: Sequence[int]) -> list[np.ndarray]:
        """Returns the attention weights (heads, n, n) of each layer for a text."""
        heads, n = int(self._assembly.config["heads"]), len(tokens)
        names = [str(number) for number in range(len(self._assembly.config["layers"]))]
        blob = len(names) * heads * n * n * 4 + MIB // 4
        due = FrameLimits(blob, tensors=len(names), name_chars=2, names=frozenset(names))
        _, tensors = self._ask("maps", {"frame": "maps", "tokens": list(tokens)}, due)
        maps = [tensors.get(name) for name in names]
        shape = (heads, n, n)
        if any(m is None or m.shape != shape or m.dtype != np.float32 for m in maps):
            raise BrokenPart("", Ended.GARBLED, Failure("frame", "no maps"))
        return [m for m in maps if m is not None]

    def _ask(self, kind: str, request: Mapping[str, Any], due: FrameLimits, slug: str = "") -> Any:
        return self._reply(kind, slug, *self._child.exchange(encode(request, {}), due, LIMITS))

    def _reply(self, kind: str, slug: str, run: Any, frame: Any) -> Any:
        """Returns the frame that is due, or raises what came instead."""
        if run is not None or frame is None:
            ended = run.ended if run is not None else Ended.DIED
            raise BrokenPart(slug, ended, (run.error if run is not None else None) or Failure(""))
        meta = frame[0]
        if meta.get("frame") == "broken":
            known = {part.slug for part in self._assembly.parts}
            named = meta.get("part")
            named = named if type(named) is str and named in known else slug
            raise BrokenPart(named, Ended.RAISED, decode.failure(meta.get("error")))
        if meta.get("frame") != kind:
            raise BrokenPart(slug, Ended.GARBLED, Failure("frame", "not the frame that was due"))
        return frame
