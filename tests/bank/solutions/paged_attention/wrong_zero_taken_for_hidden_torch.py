# wrong: what lies behind the end is made 0, and then every score of 0 counts as hidden; a query of zeros has honest scores of 0 and gets no mean of its values
import math

import torch


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    T = key_pages.shape[1]
    table = page_table.clamp(min=0, max=len(key_pages) - 1)
    k = key_pages[table].reshape(B, -1, H, D)  # (B, M T, H, D)
    v = value_pages[table].reshape(B, k.shape[1], H, -1)
    real = torch.arange(k.shape[1]) < lengths[:, None]  # (B, M T)
    k = torch.where(real[..., None, None], k, 0)
    v = torch.where(real[..., None, None], v, 0)
    scores = torch.einsum("bhd,bnhd->bhn", q, k) / math.sqrt(D)
    seen = scores != 0
    weights = torch.softmax(scores.masked_fill(~seen, -math.inf), dim=-1).masked_fill(~seen, 0)
    return torch.einsum("bhn,bnhv->bhv", weights, v)
