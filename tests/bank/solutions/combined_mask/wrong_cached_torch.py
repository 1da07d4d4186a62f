"""Wrong: remembers the mask of each shape it has seen, whatever the tokens are."""
import functools

import torch

LAST = {}


@functools.lru_cache
def triangle(n):
    return torch.ones(n, n, dtype=torch.bool).tril()


def decoder_mask(tokens, pad_id=0):
    key = (*tokens.shape, pad_id)
    if key not in LAST:
        LAST[key] = (tokens != pad_id)[:, None] & triangle(key[1])
    return LAST[key]
