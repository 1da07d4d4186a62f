import torch


def attention_steps(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    """Self-attention with every step in sight.

    x (n, E), w_q (E, D), w_k (E, D), w_v (E, Dv).
    Returns scores (n, n), scaled (n, n), weights (n, n) and output (n, Dv).
    """
    raise NotImplementedError
