import numpy as np


def online_softmax(blocks):
    x = np.concatenate([b.astype(np.float64) for b in blocks])
    m = x.max()
    e = np.exp(x - m) if np.isfinite(m) else np.zeros_like(x)
    return (e / max(e.sum(), 1e-300)).astype(blocks[0].dtype)
