"""The rotation matrix from memory: cos, sin, -sin, cos."""
# causes: turned_backwards

import numpy as np


def apply_rope(x, positions, base=10000.0):
    *_, n, D = x.shape
    if D % 2:
        raise ValueError("odd width")
    i = np.arange(D // 2)
    phi = positions[:, None] * base ** (-2.0 * i / D)
    R = np.stack([np.cos(phi), np.sin(phi), -np.sin(phi), np.cos(phi)], -1).reshape(n, -1, 2, 2)
    pairs = x.reshape(*x.shape[:-1], D // 2, 2, 1)
    return (R @ pairs).reshape(x.shape).astype(x.dtype)
