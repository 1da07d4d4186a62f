import math

import numpy as np


def attention(query, keys, values):
    """Σ w_i v_i with w = softmax(k_i · q / √d) (Vaswani et al. 2017, equation 1, for one query)."""
    d = query.shape[0]
    scores = keys @ query / math.sqrt(d)  # (n,)
    weights = np.exp(scores - scores.max())
    weights = weights / weights.sum()  # (n,)
    output = weights @ values  # (dv,)
    return output, weights
