"""The assembled model: an embedding, layers, a norm, and the embedding again. Writes one character
after another. Runs inside the room only.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from grader.inside.assembly.layers import KINDS, SAMPLING, Layer, Parts
from grader.inside.assembly.parts import Broken, Part


class Model:
    """tokens -> logits. It remembers the tokens that it has seen, up to the size of its context."""

    def __init__(
        self, parts: Mapping[str, Part], weights: Mapping[str, np.ndarray], config: dict[str, Any]
    ) -> None:
        import torch

        torch.set_grad_enabled(False)
        self.parts = Parts(parts, config["heads"], config["eps"])
        self.weights, self.config = weights, config
        self.embedding = torch.from_numpy(weights["embedding"].astype(np.float32))  # (V, E)
        self.gain = torch.from_numpy(weights["norm"].astype(np.float32))  # (E,)
        self.seen: list[int] = []
        self.layers: list[Layer] = []
        self.begin()

    def begin(self) -> None:
        """Forgets every token."""
        self.seen = []
        self.layers = [self._layer(i, kind) for i, kind in enumerate(self.config["layers"])]

    def _layer(self, number: int, kind: str) -> Layer:
        own = f"{number}."
        state = {n.removeprefix(own): w for n, w in self.weights.items() if n.startswith(own)}
        return KINDS[kind](self.parts, state)

    def logits(self, tokens: Sequence[int]) -> Any:
        """Returns the logits (V,) after new tokens.

        A text that is longer than the context goes on from its last half.
        """
        context = self.config["context"]
        if len(self.seen) + len(tokens) > context:
            tokens = [*self.seen, *tokens][-context // 2 :]
            self.begin()
        self.seen += tokens
        x = self.embedding[list(tokens)][None]  # (1, n, E)
        for layer in self.layers:
            x = layer.forward(x)
        return self.parts.norm(x[0, -1], self.gain) @ self.embedding.T

    def maps(self, tokens: Sequence[int]) -> dict[str, np.ndarray]:
        """Returns the attention weights (H, n, n) of each layer, for a text by itself."""
        self.begin()
        x = self.embedding[list(tokens)][None]  # (1, n, E)
        maps = {}
        for number, layer in enumerate(self.layers):
            maps[str(number)] = layer.attention(x)[0].numpy()
            x = layer.forward(x)
        return maps

    def write(self, request: Mapping[str, Any]) -> Iterator[int]:
        """Yields one token after another, without end."""
        draws = np.random.default_rng(request["seed"])
        limits = (request["temperature"], request["top_k"], request["top_p"])
        self.begin()
        tokens = list(request["tokens"])
        while True:
            token = self._chosen(self.logits(tokens), limits, float(draws.random()))
            yield token
            tokens = [token]

    def _chosen(self, logits: Any, limits: tuple[float, int, float], u: float) -> int:
        part = self.parts.by_slug[SAMPLING]
        value = part.call("next_token", logits, *limits, u)
        try:
            token = int(value)
        except BaseException as error:
            raise part.broken(error) from None
        if not 0 <= token < len(logits):
            raise Broken(part.slug, {"type": "result", "text": f"{token} is not a token"})
        return token
