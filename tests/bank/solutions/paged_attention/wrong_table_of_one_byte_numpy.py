import numpy as np


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    P, T, H, D = key_pages.shape
    out = np.zeros(q.shape[:2] + value_pages.shape[-1:], dtype=q.dtype)
    for b in range(q.shape[0]):
        n = int(lengths[b])
        if n == 0:
            continue
        count = -(-n // T)
        pages = page_table[b, :count].astype(np.int8)
        k = key_pages[pages].reshape(count * T, H, D)[:n]
        v = value_pages[pages].reshape(count * T, H, -1)[:n]
        s = np.einsum("hd,jhd->hj", q[b], k) / np.sqrt(D).astype(q.dtype)
        e = np.exp(s - s.max(-1, keepdims=True))
        out[b] = np.einsum("hj,jhd->hd", e / e.sum(-1, keepdims=True), v)
    return out
