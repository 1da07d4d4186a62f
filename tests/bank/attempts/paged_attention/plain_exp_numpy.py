"""Exponentials and their sum."""
# causes: no_maximum_subtracted

import math

import numpy as np


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    T = key_pages.shape[1]
    outputs = []
    for b in range(B):
        n = int(lengths[b])
        pages = page_table[b, : (n + T - 1) // T]
        k = key_pages[pages].reshape(-1, H, D)[:n]
        v = value_pages[pages].reshape(-1, H, value_pages.shape[-1])[:n]
        scores = np.einsum("hd,nhd->hn", q[b], k) / math.sqrt(D)
        weights = np.exp(scores)
        weights = weights / weights.sum(axis=-1, keepdims=True)
        outputs.append(np.einsum("hn,nhv->hv", weights, v))
    return np.stack(outputs)
