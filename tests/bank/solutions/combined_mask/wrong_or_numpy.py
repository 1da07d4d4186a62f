"""Padding or causal, for left-padded batches only."""
import numpy as np


def decoder_mask(tokens, pad_id=0):
    n = tokens.shape[1]
    real = (tokens != pad_id)[:, None, :]
    mask = real & np.tri(n, dtype=bool)
    empty = ~mask.any(-1, keepdims=True)
    return np.where(empty, real & (np.arange(n) == n - 1), mask)
