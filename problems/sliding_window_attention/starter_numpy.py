import numpy as np


def sliding_window_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, window: int
) -> np.ndarray:
    """Attention in which query i sees the keys i - window to i + window.

    q, k     (..., n, D)
    v        (..., n, Dv)
    returns  (..., n, Dv)
    """
    raise NotImplementedError
