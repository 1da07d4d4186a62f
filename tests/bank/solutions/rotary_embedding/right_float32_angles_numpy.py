"""Angles in the dtype of x, cosines repeated, pairs rotated by a quarter turn."""
import numpy as np


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2:
        raise ValueError("odd")
    inv = (1 / base ** (np.arange(0, D, 2, dtype=x.dtype) / D)).astype(x.dtype)
    angles = np.repeat(positions.astype(x.dtype)[:, None] * inv, 2, axis=-1)
    turned = np.stack([-x[..., 1::2], x[..., ::2]], axis=-1).reshape(x.shape)
    return x * np.cos(angles) + turned * np.sin(angles)
