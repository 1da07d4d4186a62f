"""The sums of the softmax are kept up to date, page by page."""

import math

import numpy as np


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    T, Dv = key_pages.shape[1], value_pages.shape[-1]
    outputs = []
    for b in range(B):
        top = np.full((H, 1), -np.inf, dtype=q.dtype)
        total = np.zeros((H, 1), dtype=q.dtype)
        sums = np.zeros((H, Dv), dtype=q.dtype)
        left, column = int(lengths[b]), 0
        while left > 0:
            page = int(page_table[b, column])
            k, v = key_pages[page, :left], value_pages[page, :left]
            scores = np.einsum("hd,thd->ht", q[b], k) / math.sqrt(D)
            new = np.maximum(top, scores.max(axis=-1, keepdims=True))
            weights = np.exp(scores - new)
            sums = sums * np.exp(top - new) + np.einsum("ht,thv->hv", weights, v)
            total = total * np.exp(top - new) + weights.sum(axis=-1, keepdims=True)
            top, left, column = new, left - T, column + 1
        outputs.append(sums / np.where(total == 0, 1, total))
    return np.stack(outputs)
