"""In another style: lexsort."""

import numpy as np


def most_attended(x, k):
    s = x @ x.T / np.sqrt(x.shape[1])
    s = s.astype(x.dtype if x.dtype.kind == "f" else float)
    e = np.exp(s - s.max(1, keepdims=True))
    w = e / e.sum(1, keepdims=True)
    idx = np.stack([np.lexsort((np.arange(len(r)), -r))[:k] for r in w])
    return idx.astype(np.int32), w[np.arange(len(w))[:, None], idx]
