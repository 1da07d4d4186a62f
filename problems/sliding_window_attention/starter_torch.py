import torch


def sliding_window_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, window: int
) -> torch.Tensor:
    """Attention in which query i sees the keys i - window to i + window.

    q, k     (..., n, D)
    v        (..., n, Dv)
    returns  (..., n, Dv)
    """
    raise NotImplementedError
