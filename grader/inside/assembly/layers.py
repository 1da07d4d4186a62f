"""The layers of an assembled model: x (1, n, E) -> (1, n, E), for the n characters that are new.

A layer keeps what it needs of the characters before them. Three kinds use different parts; all are
pre-norm and causal. Runs inside the room only.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.inside.assembly.parts import Broken, Part

SOFTMAX, HEADS, NORM, ROTARY, FORWARD, BLOCK, CACHE, SAMPLING = (
    "stable_softmax",
    "split_and_merge_heads",
    "rms_norm",
    "rotary_embedding",
    "feed_forward",
    "transformer_block",
    "kv_cache",
    "sampling",
)


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts by slug, and the numbers that all layers share."""

    by_slug: Mapping[str, Part]
    heads: int
    eps: float

    def norm(self, x: Any, gain: Any) -> Any:
        """X (..., E) -> (..., E)."""
        return self.by_slug[NORM].tensor("rms_norm", tuple(x.shape), x, gain, self.eps)

    def split(self, x: Any) -> Any:
        """X (1, n, E) -> (1, H, n, D)."""
        n, E = x.shape[1:]
        shape = (1, self.heads, n, E // self.heads)
        return self.by_slug[HEADS].tensor("split_heads", shape, x, self.heads)

    def merge(self, x: Any) -> Any:
        """X (1, H, n, D) -> (1, n, E)."""
        H, n, D = x.shape[1:]
        return self.by_slug[HEADS].tensor("merge_heads", (1, n, H * D), x)

    def rotate(self, x: Any, positions: Any) -> Any:
        """X (1, H, n, D), positions (n,) -> (1, H, n, D)."""
        return self.by_slug[ROTARY].tensor("apply_rope", tuple(x.shape), x, positions)

    def weights(self, q: Any, k: Any) -> Any:
        """Q (1, H, n, D), k (1, H, S, D) -> (1, H, n, S), where the last query sees all keys."""
        import torch

        n, S = q.shape[2], k.shape[2]
        hidden = torch.ones(n, S, dtype=torch.bool).triu(S - n + 1)
        scores = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).masked_fill(hidden, -math.inf)
        return self.by_slug[SOFTMAX].tensor("softmax", tuple(scores.shape), scores)


class Layer:
    """What all kinds share: the weights, and the map of a text that begins here."""

    def __init__(self, parts: Parts, state: Mapping[str, np.ndarray]) -> None:
        import torch

        self.parts = parts
        self.arrays = {name: value.astype(np.float32) for name, value in state.items()}
        self.w = {name: torch.from_numpy(value) for name, value in self.arrays.items()}
        self.place = 0  # of the next character

    def forward(self, x: Any) -> Any:
        """Returns the output for new characters."""
        raise NotImplementedError

    def normed(self, x: Any) -> Any:
        """Returns what the attention reads."""
        return self.parts.norm(x, self.w["norm_1"])

    def projected(self, x: Any) -> list[Any]:
        """Returns queries, keys and values (1, H, n, D) of normalised characters."""
        return [self.parts.split(x @ self.w[name].T) for name in ("W_q", "W_k", "W_v")]

    def attention(self, x: Any) -> Any:
        """Returns the weights (1, H, n, n) of a text that is given whole."""
        q, k, _ = self.projected(self.normed(x))
        return self.parts.weights(q, k)

    def chosen(self, *names: str) -> dict[str, np.ndarray]:
        """Returns weights as a module of a part names them."""
        return {
            n if n.endswith("bias") else f"{n.removesuffix('.weight')}.weight": self.arrays[n]
            for n in names
        }


class Forward:
    """The second half of a layer: the feed-forward part behind its own norm."""

    def __init__(self, layer: Layer) -> None:
        self.layer, self.part = layer, layer.parts.by_slug[FORWARD]
        F, E = layer.arrays["W_in"].shape
        init = {"d_model": E, "hidden": F}
        self.module = self.part.module("FeedForward", init, layer.chosen("W_in", "W_out"))

    def run(self, x: Any) -> Any:
        """X (1, n, E) -> (1, n, E)."""
        return self.part.taken(self.part.run(self.module, x), tuple(x.shape))

    def added(self, x: Any) -> Any:
        """X (1, n, E) -> (1, n, E), with x itself added."""
        return x + self.run(self.layer.parts.norm(x, self.layer.w["norm_2"]))


class Rotary(Layer):
    """Attention out of small parts: queries and keys are turned by where they stand."""

    def __init__(self, parts: Parts, state: Mapping[str, np.ndarray]) -> None:
        super().__init__(parts, state)
        self.second = Forward(self)
        self.past: tuple[Any, Any] | None = None

    def projected(self, x: Any) -> list[Any]:
        """Returns queries and keys turned, and values."""
        import torch

        q, k, v = super().projected(x)
        positions = torch.arange(self.place, self.place + x.shape[1])
        return [self.parts.rotate(q, positions), self.parts.rotate(k, positions), v]

    def forward(self, x: Any) -> Any:
        """Returns the output for new characters, and keeps their keys and values."""
        import torch

        q, k, v = self.projected(self.normed(x))
        if self.past is not None:
            k, v = (torch.cat(pair, dim=2) for pair in zip(self.past, (k, v), strict=True))
        self.past = k, v
        self.place += x.shape[1]
        heads = self.parts.weights(q, k) @ v  # (1, H, n, D)
        return self.second.added(x + self.parts.merge(heads) @ self.w["W_o"].T)


class Block(Layer):
    """A whole block as one part. It has no cache, so it gets the whole text each time."""

    def __init__(self, parts: Parts, state: Mapping[str, np.ndarray]) -> None:
        super().__init__(parts, state)
        self.part = parts.by_slug[BLOCK]
        F, E = self.arrays["W_in"].shape
        init = {"d_model": E, "num_heads": parts.heads, "hidden": F}
        self.module = self.part.module("Block", init, self.chosen(*self.arrays))
        self.past: Any = None

    def normed(self, x: Any) -> Any:
        """Returns what the attention reads: the block has a norm of its own."""
        from torch.nn.functional import layer_norm

        gain, bias = self.w["norm_1.weight"], self.w["norm_1.bias"]
        return layer_norm(x, (x.shape[-1],), gain, bias, self.parts.eps)

    def forward(self, x: Any) -> Any:
        """Returns the output for new characters."""
        import torch

        self.past = x if self.past is None else torch.cat((self.past, x), dim=1)
        output = self.part.run(self.module, self.past)
        return self.part.taken(output, tuple(self.past.shape))[:, -x.shape[1] :]


class Attention:
    """The attention of a cached layer, with what the part keeps of the text so far."""

    def __init__(self, layer: Layer) -> None:
        self.part = layer.parts.by_slug[CACHE]
        init = {"d_model": layer.arrays["W_q"].shape[0], "num_heads": layer.parts.heads}
        names = ("W_q", "W_k", "W_v", "W_o")
        self.module = self.part.module("CachedAttention", init, layer.chosen(*names))
        self.cache: Any = None

    def run(self, x: Any) -> Any:
        """X (1, n, E) -> (1, n, E)."""
        returned = self.part.run(self.module, x, self.cache)
        if type(returned) not in (tuple, list) or len(returned) != 2:
            raise Broken(self.part.slug, {"type": "result", "text": "not (output, cache)"})
        output, self.cache = returned
        return self.part.taken(output, tuple(x.shape))


class Cached(Layer):
    """Attention with the part's own cache, and a feed-forward layer."""

    def __init__(self, parts: Parts, state: Mapping[str, np.ndarray]) -> None:
        super().__init__(parts, state)
        self.first, self.second = Attention(self), Forward(self)

    def forward(self, x: Any) -> Any:
        """Returns the output for new characters."""
        return self.second.added(x + self.first.run(self.normed(x)))


KINDS = {"rotary": Rotary, "block": Block, "cached": Cached}
