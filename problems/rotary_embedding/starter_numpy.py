import numpy as np


def apply_rope(x: np.ndarray, positions: np.ndarray, base: float = 10000.0) -> np.ndarray:
    """Turn each pair of neighbouring entries by an angle that grows with the position.

    x (B, H, n, D), positions (n,) integers -> (B, H, n, D)
    """
    raise NotImplementedError
