"""Reshape to heads, tokens, width."""
# causes: heads_mixed

import math

import torch


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    T = key_pages.shape[1]
    outputs = []
    for b in range(B):
        n = int(lengths[b])
        pages = page_table[b, : (n + T - 1) // T]
        k = key_pages[pages].reshape(H, -1, D)[:, :n]
        v = value_pages[pages].reshape(H, -1, value_pages.shape[-1])[:, :n]
        scores = torch.einsum("hd,hnd->hn", q[b], k) / math.sqrt(D)
        weights = torch.softmax(scores, dim=-1)
        outputs.append(torch.einsum("hn,hnv->hv", weights, v))
    return torch.stack(outputs)
