"""Right: the padding mask repeated for each query, then its lower triangle."""
import numpy as np


def decoder_mask(tokens, pad_id=0):
    B, L = tokens.shape
    return np.tril(np.repeat(np.not_equal(tokens, pad_id)[:, np.newaxis, :], L, axis=1))
