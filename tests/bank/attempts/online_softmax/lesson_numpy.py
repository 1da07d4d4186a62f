"""The two lines of the statement, then a second walk for the weights."""
# causes: none

import numpy as np


def online_softmax(blocks):
    m, l = -np.inf, 0.0
    for x in blocks:
        m_new = max(m, x.max())
        if np.isinf(m_new):
            continue
        l = l * np.exp(m - m_new) + np.exp(x - m_new).sum()
        m = m_new
    if l == 0:
        return np.zeros_like(np.concatenate(blocks))
    return np.concatenate([np.exp(x - m) for x in blocks]) / l
