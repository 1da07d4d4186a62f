"""float64 needs no conversion, so what is written to is the caller's array."""

import numpy as np


def attention_steps(x, w_q, w_k, w_v):
    dt = x.dtype
    x, wq, wk, wv = (np.asarray(a, dtype=float) for a in (x, w_q, w_k, w_v))
    scores = (x @ wq) @ (x @ wk).T
    wq /= np.sqrt(wq.shape[1])
    scaled = (x @ wq) @ (x @ wk).T
    e = np.exp(scaled - scaled.max(1, keepdims=True))
    weights = e / e.sum(1, keepdims=True)
    return tuple(a.astype(dt) for a in (scores, scaled, weights, weights @ (x @ wv)))
