import torch


class RollingCache:
    """The keys and values of the last `size` tokens.

    position    the place of the next token, counted from 0: how many have been appended
    """

    def __init__(self, size: int, slope: float = 0.0):
        raise NotImplementedError

    def append(self, k: torch.Tensor, v: torch.Tensor) -> None:
        """Adds n tokens: k (B, H, n, D), v (B, H, n, Dv)."""
        raise NotImplementedError

    def attend(self, q: torch.Tensor) -> torch.Tensor:
        """The newest token asks with q (B, H, D): returns its output (B, H, Dv)."""
        raise NotImplementedError
