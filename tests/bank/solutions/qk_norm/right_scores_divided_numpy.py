"""The gains meet first; scores are divided by both roots afterwards."""
import numpy as np


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    D = q.shape[-1]
    s = np.einsum("bhld,d,bhsd->bhls", q, gain_q * gain_k, k)
    rq = np.sqrt(np.einsum("bhld,bhld->bhl", q, q) / D + eps)
    rk = np.sqrt(np.einsum("bhsd,bhsd->bhs", k, k) / D + eps)
    s = s / rq[..., None] / rk[..., None, :] * D**-0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum("bhls,bhsv->bhlv", e / e.sum(-1, keepdims=True), v)
