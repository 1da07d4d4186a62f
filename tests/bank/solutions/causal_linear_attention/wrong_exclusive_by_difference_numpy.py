"""Wrong: "The future changes nothing". The memory before a block is the running sum minus the block's own sum; a later token of
the same block (k and v of 10 000, n >= 128, float32) leaves rounding errors of about 8 in the rows before it."""
import numpy as np


def causal_linear_attention(q, k, v):
    c = 64
    B, n, D = q.shape
    m = -(-n // c)
    pad = ((0, 0), (0, m * c - n), (0, 0))

    def phi(x):
        return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))

    wide = np.concatenate([v, np.ones_like(v[..., :1])], axis=-1)
    a = np.pad(phi(q), pad).reshape(B, m, c, D)
    b = np.pad(phi(k), pad).reshape(B, m, c, D)
    w = np.pad(wide, pad).reshape(B, m, c, -1)
    own = b.swapaxes(-1, -2) @ w
    before = np.cumsum(own, axis=1) - own
    both = np.tril(a @ b.swapaxes(-1, -2)) @ w + a @ before
    both = both.reshape(B, m * c, -1)[:, :n]
    return both[..., :-1] / both[..., -1:]
