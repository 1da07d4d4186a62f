import torch


def retention(q, k, v, decay) -> torch.Tensor:
    """Read each token's past, which fades from token to token.

    q, k (B, H, n, D), v (B, H, n, Dv), decay (H,) -> (B, H, n, Dv)
    """
    raise NotImplementedError
