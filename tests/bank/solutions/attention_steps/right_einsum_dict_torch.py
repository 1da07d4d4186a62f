"""In another style: einsum dict."""

import math


def attention_steps(x, w_q, w_k, w_v):
    q, k, v = (x @ w for w in (w_q, w_k, w_v))
    raw = q @ k.T
    scaled = raw * (1 / math.sqrt(k.shape[1]))
    top = scaled.max(1, keepdims=True) if hasattr(scaled, "astype") else scaled.max(1, keepdim=True).values
    e = math.e ** (scaled - top)
    w = e / e.sum(1).reshape(-1, 1)
    found = {"scores": raw, "scaled": scaled, "weights": w, "output": w @ v}
    return tuple(found.values())
