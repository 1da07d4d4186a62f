"""Features of relu, divided by how many tokens there are so far."""
# causes: relu_features, divided_by_position

import numpy as np


def phi(x):
    return np.maximum(x, 0)


def causal_linear_attention(q, k, v):
    a, b = phi(q), phi(k)
    state = np.cumsum(np.einsum("bnd,bnv->bndv", b, v), axis=1)
    return np.einsum("bnd,bndv->bnv", a, state) / (np.arange(1, q.shape[1] + 1, dtype=q.dtype)[None, :, None])
