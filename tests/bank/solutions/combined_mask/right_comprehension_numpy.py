"""Right: plain Python integers and a nested comprehension; exact for any id because nothing is cast."""
import numpy as np


def decoder_mask(tokens, pad_id=0):
    pad = int(pad_id)
    rows = tokens.tolist()
    length = tokens.shape[1]
    return np.array(
        [[[j <= i and row[j] != pad for j in range(length)] for i in range(length)] for row in rows],
        dtype=np.bool_,
    ).reshape(tokens.shape[0], length, length)
