import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    given = q.dtype
    q, k, v, grad_output = (x.astype(np.float64) for x in (q, k, v, grad_output))
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(D)
    if causal:
        s = np.where(np.tri(L, S, S - L, dtype=bool), s, -np.inf)
    m = s.max(axis=-1, keepdims=True)
    p = np.exp(s - np.where(np.isinf(m), 0, m))
    z = p.sum(axis=-1, keepdims=True)
    p = p / np.where(z == 0, 1, z)
    dp = np.einsum("...lv,...sv->...ls", grad_output, v)
    ds = p * dp - p * np.einsum("...ls,...ls->...l", p, dp)[..., None]
    dq = np.einsum("...ls,...sd->...ld", ds, k) / D**0.5
    dk = np.einsum("...ls,...ld->...sd", ds, q) / D**0.5
    dv = np.einsum("...ls,...lv->...sv", p, grad_output)
    return dq.astype(given), dk.astype(given), dv.astype(given)
