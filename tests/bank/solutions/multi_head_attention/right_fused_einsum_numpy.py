"""One bilinear form a head: w_q and w_k are multiplied first, w_v and w_o too, so no query, key or value is ever made."""

import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    width = q.shape[-1]
    if width % num_heads:
        raise ValueError("the heads do not share the width evenly")
    d = width // num_heads
    by_head = (num_heads, d)
    forms = np.einsum("ehd,fhd->hef", w_q.reshape(width, *by_head), w_k.reshape(width, *by_head), optimize=True)
    mixes = np.einsum("ehd,hdo->heo", w_v.reshape(width, *by_head), w_o.reshape(*by_head, width), optimize=True)
    scores = np.einsum("ble,hef,bsf->bhls", q, forms, k, optimize=True) / np.asarray(d**0.5, q.dtype)
    seen = np.ones(scores.shape[-2:], bool) if mask is None else mask
    highest = np.max(scores, axis=-1, keepdims=True, where=seen, initial=np.finfo(scores.dtype).min)
    weights = np.where(seen, np.exp(np.where(seen, scores - highest, 0)), 0)
    weights /= np.maximum(weights.sum(-1, keepdims=True), np.finfo(scores.dtype).tiny)
    return np.einsum("bhls,bse,heo->blo", weights, v, mixes, optimize=True)
