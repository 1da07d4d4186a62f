import torch


def gated_linear_attention(q, k, v, gates, chunk: int) -> torch.Tensor:
    """Keep a memory in which each number of the keys fades by a gate of its own.

    q, k, gates (B, H, n, D), v (B, H, n, Dv) -> (B, H, n, Dv)
    """
    raise NotImplementedError
