"""Each block has its maximum taken off, then the sums are merged."""
# causes: block_relative_to_its_own_maximum, nan_after_a_hidden_block

import numpy as np


def online_softmax(blocks):
    m, l = -np.inf, 0.0
    for x in blocks:
        m_block = x.max()
        m_new = np.maximum(m, m_block)
        l = l * np.exp(m - m_new) + np.exp(x - m_block).sum()
        m = m_new
    return np.concatenate([np.exp(x - m) for x in blocks]) / l
