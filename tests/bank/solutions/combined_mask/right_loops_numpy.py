"""Right: loops that open the past of each word, key by key; a transposed view comes back."""
import numpy as np


def decoder_mask(tokens, pad_id=0):
    B, L = tokens.shape
    by_key = np.zeros((B, L, L), dtype=bool)
    for b, j in np.argwhere(tokens != pad_id):
        by_key[b, j, j:] = True
    return by_key.transpose(0, 2, 1)
