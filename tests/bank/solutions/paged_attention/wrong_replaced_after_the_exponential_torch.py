# wrong: exp is taken of hidden scores too and replaced by 0 afterwards; a hidden score 100 above the row's visible maximum is inf, and the gradient 0 * inf = NaN
import math

import torch


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    T = key_pages.shape[1]
    table = page_table.clamp(min=0, max=len(key_pages) - 1)
    k = key_pages[table].reshape(B, -1, H, D)  # (B, M T, H, D)
    v = value_pages[table].reshape(B, k.shape[1], H, -1)
    real = torch.arange(k.shape[1]) < lengths[:, None]  # (B, M T)
    k = torch.nan_to_num(k)
    v = torch.where(real[..., None, None], v, 0)
    scores = torch.einsum("bhd,bnhd->bhn", q, k) / math.sqrt(D)
    real = real[:, None]
    top = scores.masked_fill(~real, -math.inf).amax(dim=-1, keepdim=True)
    top = torch.where(torch.isneginf(top), 0.0, top).detach()
    exp = torch.where(real, torch.exp(scores - top), 0)
    total = exp.sum(dim=-1, keepdim=True)
    weights = exp / torch.where(total == 0, 1.0, total)
    return torch.einsum("bhn,bnhv->bhv", weights, v)
