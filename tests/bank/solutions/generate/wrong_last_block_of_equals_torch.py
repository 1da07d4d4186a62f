"""The vocabulary is searched in blocks of 16, and a later block wins a tie."""

from collections.abc import Callable

import torch

BLOCK = 16


def best_word(scores: torch.Tensor) -> torch.Tensor:
    best = torch.full_like(scores[:, 0], -torch.inf)
    index = torch.zeros(scores.shape[0], dtype=torch.int64, device=scores.device)
    for begin in range(0, scores.shape[1], BLOCK):
        block = scores[:, begin : begin + BLOCK]
        top = block.amax(dim=-1)
        better = top >= best
        index = torch.where(better, block.argmax(dim=-1) + begin, index)
        best = torch.where(better, top, best)
    return index


def generate(
    step: Callable, prompt: torch.Tensor, max_new: int, stop: int | None = None, pad_id: int = 0
) -> torch.Tensor:
    """Write on, always with the best word."""
    batch = prompt.shape[0]
    ended = torch.zeros(batch, dtype=torch.bool, device=prompt.device)
    columns: list[torch.Tensor] = []
    tokens, cache = prompt, None
    while len(columns) < max_new and not bool(ended.all()):
        logits, cache = step(tokens, cache)
        word = best_word(logits[:, -1])
        columns.append(word.masked_fill(ended, pad_id))
        if stop is not None:
            ended = ended | (word == stop)
        tokens = word[:, None]
    if not columns:
        return torch.zeros((batch, 0), dtype=torch.int64, device=prompt.device)
    return torch.stack(columns, dim=1)
