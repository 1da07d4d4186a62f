"""Text by text and head by head, in chunks, with a window of products built from the end."""
import numpy as np


def ssd(x, a, b, c, chunk):
    y = np.zeros_like(x)
    for i, h in np.ndindex(*x.shape[:2]):
        state = np.zeros((x.shape[-1], b.shape[-1]), dtype=x.dtype)
        for s in range(0, x.shape[2], chunk):
            w, u = x[i, h, s : s + chunk], a[i, h, s : s + chunk]
            k, q = b[i, s : s + chunk], c[i, s : s + chunk]
            m = len(u)
            steps = np.tile(u[:, None], (1, m))
            steps[np.triu_indices(m)] = 1
            near = np.tril(np.multiply.accumulate(steps, axis=0))
            age = np.multiply.accumulate(u)[:, None]
            y[i, h, s : s + chunk] = (q @ k.T * near) @ w + age * (q @ state.T)
            state = age[-1] * state + (w.T * near[-1]) @ k
    return y
