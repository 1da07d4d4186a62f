"""The whole row of the table is gathered."""
# causes: unused_entries_read, empty_text_forgotten

import math

import numpy as np


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    key_pages.shape[1]
    outputs = []
    for b in range(B):
        n = int(lengths[b])
        pages = page_table[b]
        k = key_pages[pages].reshape(-1, H, D)[:n]
        v = value_pages[pages].reshape(-1, H, value_pages.shape[-1])[:n]
        scores = np.einsum("hd,nhd->hn", q[b], k) / math.sqrt(D)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = weights / weights.sum(axis=-1, keepdims=True)
        outputs.append(np.einsum("hn,nhv->hv", weights, v))
    return np.stack(outputs)
