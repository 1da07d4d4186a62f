import torch


def causal_linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Linear attention in which a token sees itself and the tokens before it.

    q: (B, n, D)    k: (B, n, D)    v: (B, n, Dv)
    Returns the output, (B, n, Dv).
    """
    raise NotImplementedError
