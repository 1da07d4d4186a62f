import numpy as np


def scaled_dot_product_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float | None = None
):
    """Attention of every query to every key.

    q (..., L, D), k (..., S, D), v (..., S, Dv); scale is a number, or None for 1/sqrt(D).
    Returns output (..., L, Dv) and weights (..., L, S).
    """
    raise NotImplementedError
