import torch


def attention(query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    """Attention of one query.

    query (d,), keys (n, d), values (n, dv).
    Returns output (dv,) and weights (n,).
    """
    raise NotImplementedError
