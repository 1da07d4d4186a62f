"""All tokens of all pages in use, masked, and NaN made 0 at the end."""

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
    scores = np.einsum("bhd,bnhd->bhn", q, k) * D**-0.5
    hidden = ~seen[:, None, :]
    scores = np.where(hidden, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return np.nan_to_num(np.einsum("bhn,bnhv->bhv", weights, v))
