# Each pair is turned by the 2 × 2 matrix of its angle, as in equation 15 of the paper.
import numpy as np


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2 != 0:
        raise ValueError(f"a width of {D} cannot be taken apart into pairs")
    angles = np.outer(positions, base ** (-np.arange(0, D, 2) / D))  # (n, D/2)
    cos, sin = np.cos(angles), np.sin(angles)
    rotation = np.array([[cos, -sin], [sin, cos]]).astype(x.dtype)  # (2, 2, n, D/2)
    pairs = x.reshape(*x.shape[:-1], D // 2, 2)
    return np.einsum("ijnp,bhnpj->bhnpi", rotation, pairs).reshape(x.shape)
