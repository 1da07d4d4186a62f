"""Takes for granted that no word is smaller than a negative padding id."""

import torch


def decoder_mask(tokens, pad_id=0):
    n = tokens.shape[1]
    real = tokens > pad_id if pad_id < 0 else tokens != pad_id
    return real[:, None] & torch.ones(n, n, dtype=torch.bool).tril()
