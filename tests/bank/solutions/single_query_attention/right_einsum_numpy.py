"""einsum and the log form of the softmax."""
import numpy as np


def attention(query, keys, values):
    s = np.einsum("d,nd->n", query, keys) * query.size**-0.5
    s = s - s.max()
    w = np.exp(s - np.log(np.exp(s).sum()))
    return np.einsum("n,nv->v", w, values), w
