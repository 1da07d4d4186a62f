"""Split in the middle."""
# causes: halves_paired

import numpy as np


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2:
        raise ValueError("odd D")
    half = D // 2
    freqs = base ** (-np.arange(half) * 2 / D)
    ang = positions[:, None] * freqs
    cos, sin = np.cos(ang), np.sin(ang)
    a, b = x[..., :half], x[..., half:]
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1).astype(x.dtype)
