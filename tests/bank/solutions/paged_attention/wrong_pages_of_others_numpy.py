"""Negative entries count from the end and large ones are clipped, before anybody looks at the lengths; an empty text then sees one token."""

import numpy as np


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    T = key_pages.shape[1]
    output = np.zeros((B, H, value_pages.shape[-1]), dtype=q.dtype)
    for b in range(B):
        n = int(lengths[b])
        n = max(n, 1)
        k = np.stack(
            [key_pages[page_table[b, j // T].clip(0, len(key_pages) - 1), j % T] for j in range(n)]
        )  # (n, H, D)
        v = np.stack(
            [
                value_pages[page_table[b, j // T].clip(0, len(key_pages) - 1), j % T]
                for j in range(n)
            ]
        )
        scores = np.einsum("hd,nhd->hn", q[b], k) / np.sqrt(D)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = weights / weights.sum(axis=-1, keepdims=True)
        output[b] = np.einsum("hn,nhv->hv", weights, v)
    return output
