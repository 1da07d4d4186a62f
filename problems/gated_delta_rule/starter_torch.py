import torch


def delta_rule(q, k, v, beta) -> torch.Tensor:
    """Keep a memory in which a key that comes again gets a new value.

    q, k (B, H, n, D), v (B, H, n, Dv), beta (B, H, n) -> (B, H, n, Dv)
    """
    raise NotImplementedError
