"""Breaks "Remembers nothing between calls": the triangle is kept for each length, and for a batch of one the words
are put into the kept triangle itself. It shows in a later call with the same L."""
import numpy as np

_triangles = {}


def decoder_mask(tokens, pad_id=0):
    B, L = tokens.shape
    if L not in _triangles:
        _triangles[L] = np.tril(np.ones((L, L), dtype=bool))
    triangle = _triangles[L][None]
    mask = triangle if B == 1 else np.repeat(triangle, B, axis=0)
    mask &= (tokens != pad_id)[:, None, :]
    return mask.copy() if B == 1 else mask
