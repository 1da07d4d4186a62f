"""Everything inside the brackets, then exp."""
# causes: mask_scaled_too, no_maximum

import numpy as np


def self_attention_with_mask(
    x: np.ndarray,
    w_q: np.ndarray,
    w_k: np.ndarray,
    w_v: np.ndarray,
    mask: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    if mask is None:
        mask = np.zeros((len(x), len(x)))
    Q, K, V = x @ w_q, x @ w_k, x @ w_v
    A = np.exp((Q @ K.T + mask) / np.sqrt(Q.shape[1]))
    A = A / A.sum(axis=1, keepdims=True)
    return A @ V, A
