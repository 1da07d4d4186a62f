"""Retention, chunk by chunk (Sun et al. 2023, equation 7)."""

import numpy as np

CHUNK = 32  # tokens that are compared with each other; the others meet through a memory


def retention(q, k, v, decay):
    """q, k (B, H, n, D), v (B, H, n, Dv), decay (H,) -> (B, H, n, Dv)."""
    B, H, n, _ = q.shape
    C = min(CHUNK, n)
    N = -(-n // C)
    rest = ((0, 0), (0, 0), (0, N * C - n), (0, 0))  # keys of zeros, which nobody notices
    q, k, v = (np.pad(x, rest).reshape(B, H, N, C, x.shape[-1]) for x in (q, k, v))

    step = np.arange(C, dtype=decay.dtype)
    distance = step[:, None] - step  # (C, C), i - j
    power = decay[:, None, None]  # (H, 1, 1)
    fade = np.where(distance >= 0, power ** np.maximum(distance, 0), 0)  # (H, C, C)
    scores = q @ k.swapaxes(-2, -1)  # (B, H, N, C, C)
    inside = (scores * fade[:, None]) @ v  # what a token keeps of its own chunk

    until_end = (power ** (C - 1 - step[:, None]))[:, None]  # (H, 1, C, 1)
    added = (k * until_end).swapaxes(-2, -1) @ v  # (B, H, N, D, Dv)
    memory = np.zeros_like(added)  # before each chunk
    for i in range(1, N):
        memory[:, :, i] = power**C * memory[:, :, i - 1] + added[:, :, i - 1]
    since_start = (power ** (step[:, None] + 1))[:, None]  # (H, 1, C, 1)
    output = inside + (q * since_start) @ memory  # (B, H, N, C, Dv)
    return output.reshape(B, H, N * C, -1)[:, :, :n]
