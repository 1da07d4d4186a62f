"""WRONG: 'n need not be a multiple of anything': a last chunk of a single token is forgotten (its row stays 0).
Shown by n = 65 or 129; n = 1 and all lengths up to 64 are right."""
import numpy as np

CHUNK = 64


def delta_rule(q, k, v, beta) -> np.ndarray:
    B, H, n, D = k.shape
    memory = np.zeros((B, H, D, v.shape[-1]), dtype=v.dtype)
    output = np.zeros(v.shape, dtype=v.dtype)
    for start in range(0, max(n - 1, 1), CHUNK):
        for i in range(start, min(start + CHUNK, n)):
            key = k[:, :, i, None, :]
            miss = v[:, :, i, None, :] - key @ memory
            memory = memory + np.swapaxes(key, -1, -2) @ (beta[:, :, i, None, None] * miss)
            output[:, :, i] = (q[:, :, i, None, :] @ memory)[:, :, 0]
    return output
