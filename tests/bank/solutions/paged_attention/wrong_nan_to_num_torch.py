"""All tokens of all pages in use, masked, and NaN made 0 at the end."""

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
    scores = torch.einsum("bhd,bnhd->bhn", q, k) * D**-0.5
    hidden = ~seen[:, None, :]
    scores = torch.where(hidden, -torch.inf, scores)
    weights = torch.softmax(scores, dim=-1)
    return torch.nan_to_num(torch.einsum("bhn,bnhv->bhv", weights, v))
