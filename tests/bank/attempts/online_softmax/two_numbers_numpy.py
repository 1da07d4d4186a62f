"""m and l are what online softmax is about."""
# causes: maximum_and_sum_returned

import numpy as np


def online_softmax(blocks):
    m, l = -np.inf, 0.0
    for x in blocks:
        higher = max(m, x.max())
        if higher > -np.inf:
            l = l * np.exp(m - higher) + np.exp(x - higher).sum()
        m = higher
    return m, l
