import torch


def online_softmax(blocks):
    x = torch.cat(sorted(blocks, key=len, reverse=True))
    return torch.nan_to_num(torch.softmax(x, dim=0), 0.0)
