"""Einsum throughout; the weights are viewed as one small matrix per head."""
import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    width = q.shape[-1]
    if width % num_heads:
        raise ValueError("heads do not fit")
    d = width // num_heads
    wq, wk, wv = (np.reshape(w, (width, num_heads, d)) for w in (w_q, w_k, w_v))
    wo = np.reshape(w_o, (num_heads, d, width))
    queries = np.einsum("ble,ehd->bhld", q, wq)
    keys = np.einsum("bse,ehd->bhsd", k, wk)
    values = np.einsum("bse,ehd->bhsd", v, wv)
    scores = np.einsum("bhld,bhsd->bhls", queries, keys) * d**-0.5
    if mask is not None:
        scores = np.where(mask, scores, np.finfo(scores.dtype).min)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    if mask is not None:
        e = e * mask
    weights = e / np.maximum(e.sum(-1, keepdims=True), np.finfo(e.dtype).tiny)
    return np.einsum("bhls,bhsd,hde->ble", weights, values, wo)
