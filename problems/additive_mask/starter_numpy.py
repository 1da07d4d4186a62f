import numpy as np


def self_attention_with_mask(
    x: np.ndarray,
    w_q: np.ndarray,
    w_k: np.ndarray,
    w_v: np.ndarray,
    mask: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Self-attention whose scores are moved by a mask of numbers.

    x: (n, E)    w_q, w_k: (E, D)    w_v: (E, Dv)
    mask: None, or floats (n, n) that are added to the scaled scores
    Returns output (n, Dv) and weights (n, n).
    """
    raise NotImplementedError
