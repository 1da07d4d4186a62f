"""The heads have their decays in reverse."""
import numpy as np


def retention(q, k, v, decay):
    B, H, n, D = q.shape
    g = decay[::-1, None, None]
    memory = np.zeros((B, H, D, v.shape[-1]), v.dtype)
    parts = []
    for s in range(0, n, 128):
        a, b, c = q[:, :, s : s + 128], k[:, :, s : s + 128], v[:, :, s : s + 128]
        m = a.shape[2]
        t = np.arange(m, dtype=v.dtype)
        fade = np.tril(g ** abs(t[:, None] - t))
        parts.append((a @ b.swapaxes(-1, -2) * fade) @ c + (a * g ** (t[:, None] + 1)) @ memory)
        memory = g**m * memory + (b * g ** (m - 1 - t[:, None])).swapaxes(-1, -2) @ c
    return np.concatenate(parts, axis=2)
