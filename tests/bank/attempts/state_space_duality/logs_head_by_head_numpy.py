"""Head by head, with a sum of logarithms kept away from infinity."""
# causes: difference_of_logarithms

import numpy as np


def ssd(x, a, b, c, chunk) -> np.ndarray:
    B, H, n, P = x.shape
    y = np.zeros_like(x)
    for i in range(B):
        for h in range(H):
            state = np.zeros((b.shape[-1], P), x.dtype)
            for s in range(0, n, chunk):
                X, bb, cc = x[i, h, s : s + chunk], b[i, s : s + chunk], c[i, s : s + chunk]
                total = np.cumsum(np.log(np.maximum(a[i, h, s : s + chunk], 1e-30)))
                L = np.tril(np.exp(np.minimum(total[:, None] - total, 0)))
                y[i, h, s : s + chunk] = (cc @ bb.T * L) @ X + np.exp(total)[:, None] * (cc @ state)
                state = np.exp(total[-1]) * state + (bb * L[-1][:, None]).T @ X
    return y
