"""Right: one fresh buffer for the scores that becomes the weights (out= everywhere), tensordot for the
projections, einsum for the scores; the dtype of x throughout."""
import numpy as np


def self_attention(x, w_q, w_k, w_v):
    n = x.shape[0]
    q, k, v = (np.tensordot(x, w, axes=(1, 0)) for w in (w_q, w_k, w_v))
    weights = np.empty((n, n), dtype=x.dtype)
    np.einsum("id,jd->ij", q, k, out=weights)
    np.multiply(weights, x.dtype.type(w_q.shape[1]) ** x.dtype.type(-0.5), out=weights)
    np.subtract(weights, np.maximum.reduce(weights, axis=1, keepdims=True), out=weights)
    np.exp(weights, out=weights)
    np.true_divide(weights, np.add.reduce(weights, axis=1, keepdims=True), out=weights)
    return np.matmul(weights, v), weights
