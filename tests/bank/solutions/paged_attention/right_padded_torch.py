"""All texts at once: what is not seen becomes 0 before it is used."""

import torch


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    _P, T = key_pages.shape[:2]
    M = page_table.shape[1]
    places = torch.arange(M * T)
    seen = places < lengths[:, None]  # (B, M T)
    pages = torch.where(seen[:, ::T], page_table, 0)
    k = key_pages[pages].reshape(B, M * T, H, D)
    v = value_pages[pages].reshape(B, M * T, H, -1)
    k = torch.where(seen[..., None, None], k, 0)
    v = torch.where(seen[..., None, None], v, 0)
    scores = torch.einsum("bhd,bnhd->bhn", q, k) * D**-0.5
    hidden = ~seen[:, None, :]
    weights = torch.softmax(scores.masked_fill(hidden, float("-inf")), dim=-1)
    weights = weights.masked_fill(hidden, 0)
    return torch.einsum("bhn,bnhv->bhv", weights, v)
