"""In another style: blocks."""

import numpy as np


def batch_attention(q, k, v):
    outs, ws = [], []
    for i in range(0, len(q), 4096):
        s = q[i : i + 4096].dot(k.T) / q.shape[1] ** 0.5
        s = np.exp(s - s.max(1)[:, None])
        s /= s.sum(1)[:, None]
        outs.append(s @ v)
        ws.append(s)
    return np.concatenate(outs), np.vstack(ws)
