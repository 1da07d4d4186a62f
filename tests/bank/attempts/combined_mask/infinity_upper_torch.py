"""Minus infinity where nobody may look."""
# causes: penalties

import torch


def decoder_mask(tokens, pad_id=0):
    n = tokens.shape[1]
    see = (tokens != pad_id).unsqueeze(1) & torch.tril(torch.ones(n, n)).bool()
    return torch.zeros(see.shape).masked_fill(~see, float("-inf"))
