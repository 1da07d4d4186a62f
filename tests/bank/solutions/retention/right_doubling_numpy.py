"""All memories at once: each step adds what lies twice as far back."""
import numpy as np


def retention(q, k, v, decay):
    n = q.shape[2]
    memory = k[..., None] * v[..., None, :]  # (B, H, n, D, Dv)
    power, back = decay.reshape(1, -1, 1, 1, 1), 1
    while back < n:
        older = memory.copy()
        older[:, :, back:] += power * memory[:, :, :-back]
        memory, power, back = older, power * power, 2 * back
    return np.einsum("bhnd,bhndv->bhnv", q, memory)
