import torch


def ssd(x, a, b, c, chunk) -> torch.Tensor:
    """Read from a state that fades by another factor at each token, chunk by chunk.

    x (B, H, n, Dv), a (B, H, n), b, c (B, n, D), chunk an int -> (B, H, n, Dv)
    """
    raise NotImplementedError
