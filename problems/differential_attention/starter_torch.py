import torch


def differential_attention(q1, k1, q2, k2, v, lam) -> torch.Tensor:
    """Attend with the difference of two softmaxes.

    q1, q2 (B, H, L, D), k1, k2 (B, H, S, D), v (B, H, S, Dv), lam (H,) -> (B, H, L, Dv)
    """
    raise NotImplementedError
