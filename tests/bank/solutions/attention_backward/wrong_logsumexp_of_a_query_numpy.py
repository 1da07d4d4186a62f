"""Wrong: weights from the log-sum-exp of a query, which has too few digits left beside thousands."""

import numpy as np


def logsumexp(s):
    m = s.max(-1, keepdims=True)
    m = np.where(m == -np.inf, np.zeros_like(m), m)
    with np.errstate(divide='ignore'):
        return m + np.log(np.exp(s - m).sum(-1, keepdims=True))


def attention_backward(q, k, v, grad_output, causal=False):
    L, D = q.shape[-2:]; S = k.shape[-2]
    c = q.dtype.type(D ** -0.5)
    s = c * np.einsum('...id,...jd->...ij', q, k)
    if causal:
        s = np.where(np.arange(S) > np.arange(L)[:, None] + S - L, q.dtype.type(-np.inf), s)
    lse = logsumexp(s)
    p = np.exp(s - np.where(lse == -np.inf, np.zeros_like(lse), lse))
    o = p @ v
    delta = (o * grad_output).sum(-1, keepdims=True)
    dp = np.einsum('...ie,...je->...ij', grad_output, v)
    ds = p * (dp - delta) * c
    return np.einsum('...ij,...jd->...id', ds, k), np.einsum('...ij,...id->...jd', ds, q), np.einsum('...ij,...ie->...je', p, grad_output)
