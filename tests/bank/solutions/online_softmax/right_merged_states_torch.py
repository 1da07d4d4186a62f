from functools import reduce

import torch


def state(block):
    m = block.max()
    return m, torch.exp(block - m.clamp(min=-1e30)).sum()


def merge(a, b):
    m = torch.maximum(a[0], b[0]).clamp(min=-1e30)
    return m, a[1] * torch.exp(a[0] - m) + b[1] * torch.exp(b[0] - m)


def online_softmax(blocks):
    m, total = reduce(merge, map(state, blocks))
    m = m.clamp(min=-1e30)
    return torch.cat([torch.exp(block - m) for block in blocks]) / total.clamp(min=1e-30)
