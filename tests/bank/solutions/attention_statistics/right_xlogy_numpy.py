"""In another style: xlogy."""

import numpy as np


def attention_statistics(w):
    t = np.zeros_like(w)
    np.log(w, out=t, where=w > 0)
    n = min(w.shape[1:])
    return (
        -np.einsum("hls,hls->h", w, t) / w.dtype.type(w.shape[1]),
        np.einsum("hls->s", w) / w.dtype.type(len(w)),
        w[:, range(n), range(n)].mean(0),
    )
