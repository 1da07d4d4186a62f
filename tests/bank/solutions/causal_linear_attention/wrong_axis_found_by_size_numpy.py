# wrong: the axis of the tokens is looked up by its size; with B = n the sums run over the examples of the batch
import numpy as np


def causal_linear_attention(q, k, v):
    f, g = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (q, k))
    kv = np.einsum("bnd,bne->bnde", g, v)
    axis = kv.shape.index(q.shape[-2])
    num = np.einsum("bnd,bnde->bne", f, kv.cumsum(axis))
    den = np.einsum("bnd,bnd->bn", f, g.cumsum(axis))
    return num / den[..., None]
