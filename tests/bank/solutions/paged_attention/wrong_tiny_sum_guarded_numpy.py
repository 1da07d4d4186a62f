"""No maximum is subtracted while all scores are below 60 in size, and 1e-9 is added to the sum."""

import math

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    size = np.where(s > -1e30, np.abs(s), np.zeros_like(s)).max(initial=0)
    return np.where((size <= 60) | np.isneginf(m), np.zeros_like(m), m)


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    """q (B, H, D), pages (P, T, H, D) and (P, T, H, Dv), table (B, M), lengths (B,) -> (B, H, Dv)"""
    T, H, D = key_pages.shape[1:]
    Dv = value_pages.shape[-1]
    outputs = []
    for query, table, length in zip(q, page_table, lengths.tolist(), strict=True):
        pages = table[: math.ceil(length / T)]  # in use, the last one perhaps in part
        k = key_pages[pages].reshape(-1, H, D)[:length]  # (length, H, D)
        v = value_pages[pages].reshape(-1, H, Dv)[:length]  # (length, H, Dv)
        outputs.append(attention(query, k, v))
    return np.stack(outputs)


def attention(q, k, v):
    """q (H, D), k (n, H, D), v (n, H, Dv) -> (H, Dv)"""
    if len(k) == 0:
        return np.zeros((v.shape[1], v.shape[2]), dtype=v.dtype)
    scores = np.einsum("hd,nhd->hn", q, k) / math.sqrt(q.shape[-1])
    weights = np.exp(scores - shift(scores, -1))
    weights = weights / (weights.sum(axis=-1, keepdims=True) + 1e-9)  # (H, n)
    return np.einsum("hn,nhv->hv", weights, v)
