import torch


def self_attention(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    """Every word attends to every word.

    x (n, E), w_q (E, D), w_k (E, D), w_v (E, Dv).
    Returns output (n, Dv) and weights (n, n).
    """
    raise NotImplementedError
