"""In another style: stack."""

import torch


def decoder_mask(tokens, pad_id=0):
    n = tokens.size(1)
    return torch.stack([torch.tril(torch.ones(n, n)).bool().logical_and(row.ne(pad_id)) for row in tokens])
