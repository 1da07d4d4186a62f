"""A table up to the position of the last token, which need not be the largest."""

import numpy as np


def apply_rope(x, positions, base=10000.0):
    d = x.shape[-1]
    if d % 2:
        raise ValueError("D is odd")
    theta = float(base) ** (-np.arange(0, d, 2) / d)
    table = np.exp(1j * np.multiply.outer(np.arange(positions[-1] + 1), theta))
    turn = table[np.minimum(positions, len(table) - 1)]
    pairs = x[..., 0::2] + 1j * x[..., 1::2]
    turned = pairs * turn
    return np.stack([turned.real, turned.imag], axis=-1).reshape(x.shape).astype(x.dtype)
