"""The second form as it stands, with all pairs."""
# causes: all_pairs

import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    n = q.shape[2]
    b = np.cumsum(np.log(np.maximum(gates, 1e-30)), axis=2)
    decay = np.exp(np.minimum(b[:, :, :, None] - b[:, :, None], 0))
    weights = np.einsum("bhid,bhijd,bhjd->bhij", q, decay, k)
    return np.where(np.tri(n, dtype=bool), weights, 0) @ v
