"""x @ R with the rotation matrix; assert for the width."""
# causes: turned_backwards, assertion_for_an_error

import numpy as np


def apply_rope(x, positions, base=10000.0):
    B, H, n, D = x.shape
    assert D % 2 == 0, "D must be even"
    theta = 1 / base ** (np.arange(0, D, 2) / D)
    a = np.einsum("n,d->nd", positions, theta)
    R = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    pairs = x.reshape(B, H, n, D // 2, 2)
    return np.einsum("bhndi,ijnd->bhndj", pairs, R).reshape(B, H, n, D)
