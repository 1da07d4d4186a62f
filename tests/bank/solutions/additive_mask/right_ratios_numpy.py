"""Each weight as one over a sum of ratios, hidden keys left out of the sum."""
import numpy as np


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    s = np.inner(x @ w_q, x @ w_k) * x.dtype.type(w_q.shape[1] ** -0.5)
    if mask is not None:
        s = s + mask
    gone = np.isneginf(s)
    known = np.where(gone, x.dtype.type(0), s)
    with np.errstate(over="ignore"):
        ratios = np.where(gone[:, None, :], x.dtype.type(0), np.exp(known[:, None, :] - known[:, :, None]))
        weights = np.where(gone, x.dtype.type(0), 1 / ratios.sum(-1))
    return weights @ (x @ w_v), weights
