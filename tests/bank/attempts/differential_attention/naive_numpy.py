"""exp and divide."""
# causes: no_maximum_subtracted

import numpy as np


def differential_attention(q1, k1, q2, k2, v, lam) -> np.ndarray:
    d = q1.shape[-1]
    e1 = np.exp(q1 @ k1.swapaxes(2, 3) / np.sqrt(d))
    e2 = np.exp(q2 @ k2.swapaxes(2, 3) / np.sqrt(d))
    a1 = e1 / e1.sum(axis=-1, keepdims=True)
    a2 = e2 / e2.sum(axis=-1, keepdims=True)
    return (a1 - lam[:, None, None] * a2) @ v
