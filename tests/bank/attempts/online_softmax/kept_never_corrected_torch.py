"""Keep the exponentials and the sum as the blocks go by."""
# causes: nothing_rescaled, nan_after_a_hidden_block

import torch


def online_softmax(blocks):
    m = -float("inf")
    l = 0.0
    exps = []
    for x in blocks:
        m = max(m, x.max().item())
        e = torch.exp(x - m)
        l = l + e.sum()
        exps.append(e)
    return torch.cat(exps) / l
