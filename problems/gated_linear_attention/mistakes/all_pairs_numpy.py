import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    n = q.shape[2]
    later = np.tri(n, k=-1, dtype=bool)[:, :, None]
    fade = np.where(later, gates[:, :, :, None], gates.dtype.type(1)).cumprod(axis=2)
    scores = np.einsum("bhid,bhijd,bhjd->bhij", q, fade, k)
    return np.tril(scores) @ v
