"""Everything is gathered, then masked with -1e9."""
# causes: unused_entries_read, left_overs_weigh_zero, other: an empty text gets the mean of its row

import math

import torch


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    M, T = page_table.shape[1], key_pages.shape[1]
    k = key_pages[page_table].reshape(B, M * T, H, D)
    v = value_pages[page_table].reshape(B, M * T, H, -1)
    scores = torch.einsum("bhd,bnhd->bhn", q, k) / math.sqrt(D)
    mask = torch.arange(M * T)[None, :] < lengths[:, None]
    scores = torch.where(mask[:, None, :], scores, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("bhn,bnhv->bhv", weights, v)
