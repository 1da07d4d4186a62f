"""Right. Prefix sums of all summaries at once: [v, 1] is one matrix, so numerator and denominator come
from one cumsum, kept in float64 and given back in the dtype of the input."""
import numpy as np


def causal_linear_attention(q, k, v):
    def phi(x):
        return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))

    fq, fk = phi(q), phi(k)
    ones = np.ones(v.shape[:-1] + (1,), dtype=v.dtype)
    wide = np.concatenate([v, ones], axis=-1)
    total = np.zeros(q.shape[:2] + (wide.shape[-1],), dtype=np.float64)
    for d in range(q.shape[-1]):
        past = np.cumsum(fk[:, :, d, None] * wide, axis=1, dtype=np.float64)
        past *= fq[:, :, d, None]
        total += past
    return (total[..., :-1] / total[..., -1:]).astype(v.dtype)
