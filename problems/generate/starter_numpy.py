from collections.abc import Callable

import numpy as np


def generate(
    step: Callable, prompt: np.ndarray, max_new: int, stop: int | None = None, pad_id: int = 0
) -> np.ndarray:
    """Write on, always with the best word.

    step     takes tokens (B, m) and the cache of the call before (None at first);
             returns logits (B, m, V) and a new cache
    prompt   (B, n)
    returns  the new tokens, (B, k)
    """
    raise NotImplementedError
