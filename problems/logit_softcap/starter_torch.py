import torch


def softcapped_attention(q, k, v, cap: float, causal: bool = False) -> torch.Tensor:
    """Attend with scores that are pressed smoothly between -cap and cap.

    q (..., L, D), k (..., S, D), v (..., S, Dv) -> (..., L, Dv)
    """
    raise NotImplementedError
