"""Only even widths of four and more; a single pair is not turned."""
import numpy as np


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2:
        raise ValueError("odd")
    if D == 2:
        return x.copy()
    a = positions[:, None] * base ** (-np.arange(0, D, 2) / D)
    c, s = np.cos(a).astype(x.dtype), np.sin(a).astype(x.dtype)
    p, q = x[..., ::2], x[..., 1::2]
    return np.stack([p * c - q * s, p * s + q * c], -1).reshape(x.shape)
