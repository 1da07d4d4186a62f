"""One softmax over scores that arrive block by block (Milakov and Gimelshein 2018, section 3)."""

import math

import torch


def online_softmax(blocks):
    """blocks of shapes (n_1,), (n_2,), … -> weights (n_1 + n_2 + …,)."""
    maximum = blocks[0].new_tensor(-math.inf)  # of the scores so far
    total = blocks[0].new_tensor(0)  # of their exponentials, relative to the maximum
    for block in blocks:
        higher = torch.maximum(maximum, block.max())
        total = total * torch.exp(maximum - finite(higher))
        total = total + torch.exp(block - finite(higher)).sum()
        maximum = higher

    weights = torch.cat([torch.exp(block - finite(maximum)) for block in blocks])  # (n,)
    return weights / torch.where(total == 0, 1, total)  # 0 / 1 where nothing is visible


def finite(maximum):
    return torch.where(torch.isneginf(maximum), 0, maximum)  # -inf - -inf would be NaN
