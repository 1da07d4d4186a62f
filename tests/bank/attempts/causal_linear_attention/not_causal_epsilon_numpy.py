"""Sum keys and values once, and add 0.01 to be safe."""
# causes: total, large_epsilon

import numpy as np


def causal_linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    fq = np.where(q > 0, q + 1, np.exp(np.minimum(q, 0)))
    fk = np.where(k > 0, k + 1, np.exp(np.minimum(k, 0)))
    kv = fk.swapaxes(1, 2) @ v
    return fq @ kv / (fq @ fk.sum(axis=1)[..., None] + 0.01)
