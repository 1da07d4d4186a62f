"""Broadcasting instead of the last two products; the output normalised last; non-contiguous results."""
import numpy as np


def self_attention(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = (q[:, None] * k[None]).sum(-1) / float(np.sqrt(q.shape[1]))
    e = np.exp(s - s.max(1)[:, None])
    total = e.sum(1)[:, None]
    return np.asfortranarray((e[..., None] * v).sum(1) / total), np.asfortranarray(e / total)
