"""A rotation matrix for each token and pair, by einsum."""
import numpy as np


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2:
        raise ValueError("odd")
    a = positions[:, None] / base ** (2 * np.arange(D // 2) / D)
    R = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    pairs = x.reshape(*x.shape[:-1], D // 2, 2)
    return np.einsum("rcni,bhnic->bhnir", R, pairs).reshape(x.shape).astype(x.dtype)
