"""Right: one sequence at a time, stacked."""
import torch


def decoder_mask(tokens, pad_id=0):
    n = tokens.shape[1]
    i = torch.arange(n)
    past = i.view(1, n) <= i.view(n, 1)
    return torch.stack([past & (row != pad_id) for row in tokens])
