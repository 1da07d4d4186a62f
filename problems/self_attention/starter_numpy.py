import numpy as np


def self_attention(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    """Every word attends to every word.

    x (n, E), w_q (E, D), w_k (E, D), w_v (E, Dv).
    Returns output (n, Dv) and weights (n, n).
    """
    raise NotImplementedError
