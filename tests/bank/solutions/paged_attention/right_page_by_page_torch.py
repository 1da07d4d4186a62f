"""The sums of the softmax are kept up to date, page by page."""

import math

import torch


def paged_attention(q, key_pages, value_pages, page_table, lengths):
    B, H, D = q.shape
    T, Dv = key_pages.shape[1], value_pages.shape[-1]
    outputs = []
    for b in range(B):
        top = torch.full((H, 1), float("-inf"), dtype=q.dtype)
        total = torch.zeros((H, 1), dtype=q.dtype)
        sums = torch.zeros((H, Dv), dtype=q.dtype)
        left, column = int(lengths[b]), 0
        while left > 0:
            page = int(page_table[b, column])
            k, v = key_pages[page, :left], value_pages[page, :left]
            scores = torch.einsum("hd,thd->ht", q[b], k) / math.sqrt(D)
            new = torch.maximum(top, scores.amax(dim=-1, keepdim=True))
            weights = torch.exp(scores - new)
            sums = sums * torch.exp(top - new) + torch.einsum("ht,thv->hv", weights, v)
            total = total * torch.exp(top - new) + weights.sum(dim=-1, keepdim=True)
            top, left, column = new, left - T, column + 1
        outputs.append(sums / total.masked_fill(total == 0, 1))
    return torch.stack(outputs)
