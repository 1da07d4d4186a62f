"""All texts at once: what is not seen becomes 0 before it is used."""

import numpy as np


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    _P, T = key_pages.shape[:2]
    M = page_table.shape[1]
    places = np.arange(M * T)
    seen = places < lengths[:, None]  # (B, M T)
    pages = np.where(seen[:, ::T], page_table, 0)
    k = key_pages[pages].reshape(B, M * T, H, D)
    v = value_pages[pages].reshape(B, M * T, H, -1)
    k = np.where(seen[..., None, None], k, 0)
    v = np.where(seen[..., None, None], v, 0)
    scores = np.einsum("bhd,bnhd->bhn", q, k) * D**-0.5
    hidden = ~seen[:, None, :]
    top = np.where(hidden, -np.inf, scores).max(axis=-1, keepdims=True)
    weights = np.where(hidden, 0, np.exp(np.where(hidden, 0, scores - np.maximum(top, -1e30))))
    total = weights.sum(axis=-1, keepdims=True)
    weights = (weights / np.where(total == 0, 1, total)).astype(q.dtype)
    return np.einsum("bhn,bnhv->bhv", weights, v)
