import numpy as np


def attention_steps(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    """Self-attention with every step in sight.

    x (n, E), w_q (E, D), w_k (E, D), w_v (E, Dv).
    Returns scores (n, n), scaled (n, n), weights (n, n) and output (n, Dv).
    """
    raise NotImplementedError
