"""Head by head, in chunks of 100."""
# causes: none

import numpy as np


def retention(q, k, v, decay) -> np.ndarray:
    B, H, n, D = q.shape
    out = np.zeros(v.shape, dtype=v.dtype)
    for b in range(B):
        for h in range(H):
            g = decay[h]
            state = np.zeros((D, v.shape[3]), dtype=v.dtype)
            for s in range(0, n, 100):
                qc, kc, vc = q[b, h, s : s + 100], k[b, h, s : s + 100], v[b, h, s : s + 100]
                pos = np.arange(len(qc), dtype=v.dtype)
                mask = np.tril(g ** np.maximum(pos[:, None] - pos[None], 0))
                out[b, h, s : s + 100] = (qc @ kc.T * mask) @ vc + (g ** (pos + 1))[:, None] * (qc @ state)
                state = g ** len(qc) * state + (kc * (g ** pos[::-1])[:, None]).T @ vc
    return out
