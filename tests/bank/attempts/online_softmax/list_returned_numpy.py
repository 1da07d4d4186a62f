"""Blocks in, blocks out."""
# causes: returned_in_blocks, sum_not_rescaled

import numpy as np


def online_softmax(blocks):
    m, l = -1e30, 0.0
    for x in blocks:
        m = max(m, x.max())
        l += np.exp(x - m).sum()
    return [np.exp(x - m) / l for x in blocks]
