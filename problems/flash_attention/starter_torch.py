import torch


def flash_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, block_size: int, causal: bool = False
) -> torch.Tensor:
    """Exact attention that never holds more than block_size keys' worth of scores.

    q        (..., L, D)
    k        (..., S, D)
    v        (..., S, Dv)
    returns  (..., L, Dv)
    """
    raise NotImplementedError
