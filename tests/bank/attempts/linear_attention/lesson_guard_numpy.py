"""The same as matrix products, with an epsilon."""
# causes: none

import numpy as np


def linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    phi_q = np.where(q > 0, q + 1, np.exp(np.minimum(q, 0)))
    phi_k = np.where(k > 0, k + 1, np.exp(np.minimum(k, 0)))
    kv = phi_k.transpose(0, 2, 1) @ v
    z = phi_q @ phi_k.sum(axis=1)[:, :, None]
    return phi_q @ kv / (z + 1e-9)
