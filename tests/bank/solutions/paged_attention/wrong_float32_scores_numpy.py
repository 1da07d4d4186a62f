"""Scores in float32."""

import numpy as np


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    T = key_pages.shape[1]
    output = np.zeros((B, H, value_pages.shape[-1]), dtype=q.dtype)
    for b in range(B):
        n = int(lengths[b])
        if n == 0:
            continue
        k = np.stack([key_pages[page_table[b, j // T], j % T] for j in range(n)])  # (n, H, D)
        v = np.stack([value_pages[page_table[b, j // T], j % T] for j in range(n)])
        scores = np.einsum("hd,nhd->hn", q[b], k) / np.sqrt(D)
        scores = scores.astype(np.float32).astype(q.dtype)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = weights / weights.sum(axis=-1, keepdims=True)
        output[b] = np.einsum("hn,nhv->hv", weights, v)
    return output
