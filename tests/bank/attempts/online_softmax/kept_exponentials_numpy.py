"""One pass: keep the exponentials, divide at the end."""
# causes: weights_of_their_time

import numpy as np


def online_softmax(blocks):
    m, l, parts = -np.inf, 0.0, []
    for x in blocks:
        m_new = max(m, x.max())
        if m_new == -np.inf:
            parts.append(np.zeros_like(x))
            continue
        p = np.exp(x - m_new)
        l = l * np.exp(m - m_new) + p.sum()
        parts.append(p)
        m = m_new
    return np.concatenate(parts) / (l if l else 1)
