import torch


def gpt(tokens: torch.Tensor, weights: dict, config: dict) -> torch.Tensor:
    """Say for every place of every text how likely each token is to come next.

    tokens   (B, n), integers from 0 to V - 1
    weights  embedding (V, E), positions (C, E), norm, and a list of layers: see the statement
    config   num_heads, eps
    returns  logits (B, n, V)
    """
    raise NotImplementedError
