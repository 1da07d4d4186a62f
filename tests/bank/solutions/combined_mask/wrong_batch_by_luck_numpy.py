"""Wrong: lets the (B, L) padding broadcast over the rows of the triangle when B equals L."""
import numpy as np


def decoder_mask(tokens, pad_id=0):
    B, L = tokens.shape
    real = tokens != pad_id
    if B != L:
        real = real[:, None, :]
    return np.broadcast_to(real & np.tri(L, dtype=bool), (B, L, L))
