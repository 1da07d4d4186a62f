"""In another style: where."""

import torch


def decoder_mask(tokens, pad_id=0):
    B, n = tokens.shape
    m = (tokens != pad_id).unsqueeze(1).repeat(1, n, 1)
    m[:, torch.triu(torch.ones(n, n, dtype=torch.bool), 1)] = False
    return m
