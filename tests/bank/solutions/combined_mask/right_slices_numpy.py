"""Right: starts from all False and writes, for each query, the words up to itself (no triangle, no broadcasting)."""
import numpy as np


def decoder_mask(tokens, pad_id=0):
    words = np.not_equal(tokens, pad_id)
    batch, length = words.shape
    mask = np.zeros((batch, length, length), dtype=bool)
    for query in range(length):
        mask[:, query, : query + 1] = words[:, : query + 1]
    return mask
