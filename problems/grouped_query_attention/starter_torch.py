import torch


def grouped_query_attention(q, k, v, causal: bool = False) -> torch.Tensor:
    """Attend with H heads of queries that share G groups of keys and values.

    q (B, H, L, D), k (B, G, S, D), v (B, G, S, Dv) -> (B, H, L, Dv)
    """
    raise NotImplementedError
