# einsum names the axes: n tokens, d features, v numbers of a value; both sums are alike.
import numpy as np


def linear_attention(q, k, v):
    q, k = feature_map(q), feature_map(k)
    memory = np.einsum("bnd,bnv->bdv", k, v)
    total = np.einsum("bnd,bd->bn", q, k.sum(axis=1))
    return np.einsum("bnd,bdv->bnv", q, memory) / total[:, :, None]


def feature_map(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
