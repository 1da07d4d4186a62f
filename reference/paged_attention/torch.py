"""Paged attention: Kwon et al. 2023, section 4.1."""

import math

import torch


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
    return torch.stack(outputs)


def attention(q, k, v):
    """q (H, D), k (n, H, D), v (n, H, Dv) -> (H, Dv)"""
    if len(k) == 0:
        return v.new_zeros(v.shape[1], v.shape[2])
    scores = torch.einsum("hd,nhd->hn", q, k) / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)  # (H, n)
    return torch.einsum("hn,nhv->hv", weights, v)
