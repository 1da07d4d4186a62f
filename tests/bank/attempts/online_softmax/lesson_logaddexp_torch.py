"""Only the logarithm of the sum is kept."""
# causes: none

import torch


def online_softmax(blocks):
    lse = torch.tensor(float("-inf"), dtype=blocks[0].dtype)
    for x in blocks:
        lse = torch.logaddexp(lse, torch.logsumexp(x, dim=0))
    weights = torch.exp(torch.cat(blocks) - lse)
    return torch.nan_to_num(weights, nan=0.0) if torch.isinf(lse) else weights
