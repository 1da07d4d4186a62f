"""Right: einsum, the scale folded into the queries, and a constant added to each row of scores."""
import numpy as np


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q = np.einsum("ne,ed->nd", x, w_q) * w_q.shape[1] ** -0.5
    k = np.einsum("ne,ed->nd", x, w_k)
    v = np.einsum("ne,ed->nd", x, w_v)
    scores = np.einsum("id,jd->ij", q, k) + (0 if mask is None else mask)
    shifted = scores - np.amax(scores, axis=1)[:, None] + 1
    e = np.exp(shifted)
    weights = e / np.sum(e, axis=1)[:, None]
    return np.einsum("ij,jd->id", weights, v), weights
