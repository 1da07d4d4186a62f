"""Tokens up to the length, that one included; exponentials as they are."""
# causes: one_token_too_many, no_maximum_subtracted

import numpy as np


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    T = key_pages.shape[1]
    M = page_table.shape[1]
    out = np.zeros((B, H, value_pages.shape[-1]), q.dtype)
    for b, length in enumerate(lengths):
        if length == 0:
            continue
        j = np.arange(min(length + 1, M * T))
        k = key_pages[page_table[b, j // T], j % T]
        v = value_pages[page_table[b, j // T], j % T]
        weights = np.exp(np.einsum("hd,nhd->hn", q[b], k) / np.sqrt(D))
        weights /= weights.sum(axis=1, keepdims=True)
        out[b] = np.einsum("hn,nhv->hv", weights, v)
    return out
