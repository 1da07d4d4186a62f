"""Breaks "Positions go up to 10 000": the table that is kept for each width and base has the rows 0 ... 9999, and
position 10 000 raises IndexError."""
import functools

import numpy as np


@functools.lru_cache(maxsize=16)
def _table(width, base):
    angles = np.arange(10_000)[:, None] * base ** (-np.arange(0, width, 2) / width)
    return np.cos(angles), np.sin(angles)


def apply_rope(x, positions, base=10000.0):
    if x.shape[-1] % 2:
        raise ValueError("D must be even")
    cos, sin = _table(x.shape[-1], float(base))
    cos, sin = cos[positions].astype(x.dtype), sin[positions].astype(x.dtype)
    even, odd = x[..., ::2], x[..., 1::2]
    return np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1).reshape(x.shape)
