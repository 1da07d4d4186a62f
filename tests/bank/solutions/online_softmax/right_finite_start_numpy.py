import numpy as np


def online_softmax(blocks):
    dtype = blocks[0].dtype
    m, total = np.finfo(dtype).min, dtype.type(0)
    for block in blocks:
        m_new = np.maximum(m, block.max())
        total = total * np.exp(m - m_new) + np.exp(block - m_new).sum()
        m = m_new
    out = [np.exp(block - m) for block in blocks]
    return np.concatenate(out) / (total + 1e-9 if total > 0 else 1)
