"""Right: plain loops over sequences and tokens."""
import numpy as np


def padding_mask(tokens, pad_id=0):
    B, S = tokens.shape
    mask = np.zeros((B, 1, S), dtype=bool)
    for b in range(B):
        for j in range(S):
            mask[b, 0, j] = int(tokens[b, j]) != pad_id
    return mask
