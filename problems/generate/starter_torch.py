from collections.abc import Callable

import torch


def generate(
    step: Callable, prompt: torch.Tensor, max_new: int, stop: int | None = None, pad_id: int = 0
) -> torch.Tensor:
    """Write on, always with the best word.

    step     takes tokens (B, m) and the cache of the call before (None at first);
             returns logits (B, m, V) and a new cache
    prompt   (B, n)
    returns  the new tokens, (B, k)
    """
    raise NotImplementedError
