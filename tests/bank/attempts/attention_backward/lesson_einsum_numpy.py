"""einsum says which axis is which."""
# causes: none

import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    q = q * D**-0.5
    s = np.einsum("...id,...jd->...ij", q, k)
    if causal:
        i, j = np.arange(L)[:, None], np.arange(S)[None, :]
        s = np.where(j <= i + S - L, s, np.finfo(s.dtype).min)
    e = np.exp(s - s.max(-1, keepdims=True))
    if causal:
        e = e * (j <= i + S - L)
    p = e / np.maximum(e.sum(-1, keepdims=True), 1e-30)
    dv = np.einsum("...ij,...iv->...jv", p, grad_output)
    dp = np.einsum("...iv,...jv->...ij", grad_output, v)
    delta = np.einsum("...ij,...ij->...i", p, dp)
    ds = p * (dp - delta[..., None])
    dq = np.einsum("...ij,...jd->...id", ds, k) * D**-0.5
    return dq, np.einsum("...ij,...id->...jd", ds, q), dv
