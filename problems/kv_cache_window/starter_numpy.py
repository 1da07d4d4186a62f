import numpy as np


class RollingCache:
    """The keys and values of the last `size` tokens.

    position    the place of the next token, counted from 0: how many have been appended
    """

    def __init__(self, size: int, slope: float = 0.0):
        raise NotImplementedError

    def append(self, k: np.ndarray, v: np.ndarray) -> None:
        """Adds n tokens: k (B, H, n, D), v (B, H, n, Dv)."""
        raise NotImplementedError

    def attend(self, q: np.ndarray) -> np.ndarray:
        """The newest token asks with q (B, H, D): returns its output (B, H, Dv)."""
        raise NotImplementedError
