"""Gather, scatter, sort, topk, masks, views."""

import torch


def work():
    x = torch.arange(12.0).reshape(3, 4)
    top = x.topk(2, -1)
    put = torch.zeros(3, 4).scatter_(1, top.indices, top.values)
    return (
        put.sum().item() == 39.0
        and x.unfold(1, 2, 1).shape == (3, 3, 2)
        and x.masked_fill(torch.triu(torch.ones(3, 4), 1).bool(), 0).sum() == 36
        and x.sort(descending=True).values[0, 0] == 3
    )
