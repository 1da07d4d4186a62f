"""Angles are kept for a first and a last position."""
import numpy as np


_tables = {}


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2:
        raise ValueError("odd")
    key = (D, base, len(positions), int(positions[0]), int(positions[-1]))
    if key not in _tables:
        theta = float(base) ** (-np.arange(0, D, 2) / D)
        a = positions[:, None] * theta
        _tables[key] = np.cos(a), np.sin(a)
    c, s = _tables[key]
    out = np.empty(x.shape, x.dtype)
    out[..., ::2] = x[..., ::2] * c - x[..., 1::2] * s
    out[..., 1::2] = x[..., ::2] * s + x[..., 1::2] * c
    return out
