"""Everything is gathered, then masked with -1e9; plain products."""
# causes: unused_entries_read, left_overs_weigh_zero, no_scale

import numpy as np


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    M, T = page_table.shape[1], key_pages.shape[1]
    k = key_pages[page_table].reshape(B, M * T, H, D)
    v = value_pages[page_table].reshape(B, M * T, H, -1)
    scores = np.einsum("bhd,bnhd->bhn", q, k)
    mask = np.arange(M * T)[None, :] < lengths[:, None]
    scores = np.where(mask[:, None, :], scores, -1e9)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return np.einsum("bhn,bnhv->bhv", weights, v)
