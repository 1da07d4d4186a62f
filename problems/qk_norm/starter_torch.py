import torch


def qk_norm_attention(q, k, v, gain_q, gain_k, eps: float) -> torch.Tensor:
    """Attend with queries and keys that are normalised first.

    q (B, H, L, D), k (B, H, S, D), v (B, H, S, Dv), gain_q and gain_k (D,) -> (B, H, L, Dv)
    """
    raise NotImplementedError
