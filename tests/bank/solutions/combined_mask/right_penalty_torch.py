"""Right: sums of additive penalties, read back as booleans."""
import torch


def decoder_mask(tokens, pad_id=0):
    n = tokens.shape[1]
    future = torch.full((n, n), float("-inf")).triu(1)
    padding = torch.zeros(tokens.shape).masked_fill(tokens == pad_id, float("-inf"))
    return (future + padding[:, None, :]) == 0
