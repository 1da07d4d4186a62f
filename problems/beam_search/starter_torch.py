from collections.abc import Callable

import torch


def beam_search(
    step: Callable,
    prompt: torch.Tensor,
    width: int,
    max_new: int,
    stop: int | None = None,
    alpha: float = 0.0,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Search for the best text, several at a time.

    step     takes tokens (W, m) and the cache of the call before (None at first);
             returns scores (W, m, V) and a new cache, one row for each text
    prompt   (n,)
    returns  tokens (k,), score ()
    """
    raise NotImplementedError
