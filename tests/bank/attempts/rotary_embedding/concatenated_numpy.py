"""Even and odd entries, put together by concatenate."""
# causes: pairs_taken_apart

import numpy as np


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2 != 0:
        raise ValueError("D must be even")
    theta = base ** (-2 * np.arange(D // 2) / D)
    m = np.outer(positions, theta)
    even, odd = x[..., ::2], x[..., 1::2]
    return np.concatenate(
        [even * np.cos(m) - odd * np.sin(m), even * np.sin(m) + odd * np.cos(m)], axis=-1
    )
