"""32 bits are enough for ids, and every position sees itself so that softmax has something."""
# causes: other: ids cut down to 32 bits, diagonal_always_seen

import numpy as np


def decoder_mask(tokens, pad_id=0):
    ids = tokens.astype(np.int32)
    pad = np.array(pad_id).astype(np.int32)
    B, L = ids.shape
    mask = np.zeros((B, L, L), dtype=bool)
    for i in range(L):
        mask[:, i, : i + 1] = ids[:, : i + 1] != pad
        mask[:, i, i] = True
    return mask
