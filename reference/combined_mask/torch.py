"""The mask of a decoder: real tokens that are not in the future.

Vaswani et al. 2017, section 3.2.3.
"""

import torch


def decoder_mask(tokens, pad_id=0):
    n = tokens.shape[1]
    real = (tokens != pad_id)[:, None, :]  # (B, 1, L): which keys are words
    past = torch.ones(n, n, dtype=torch.bool).tril()  # (L, L): which keys are not in the future
    return real & past  # (B, L, L), True = may attend
