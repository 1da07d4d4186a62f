"""Each pair is a complex number, multiplied by exp(i angle)."""
import numpy as np


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2 == 1:
        raise ValueError("odd width")
    z = x[..., 0::2] + 1j * x[..., 1::2]
    theta = np.exp(-np.log(base) * np.arange(D // 2) * 2 / D)
    z = z * np.exp(1j * positions[:, None] * theta)
    return np.stack([z.real, z.imag], -1).reshape(x.shape)
