"""Query by query, with the matrix of each softmax."""
# causes: none

import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    dq, dk, dv = np.zeros_like(q), np.zeros_like(k), np.zeros_like(v)
    for b in np.ndindex(q.shape[:-2]):
        for i in range(L):
            n = min(S, max(0, i + S - L + 1)) if causal else S
            if n == 0:
                continue
            keys, values, g = k[b][:n], v[b][:n], grad_output[b][i]
            s = keys @ q[b][i] / D**0.5
            p = np.exp(s - s.max())
            p = p / p.sum()
            jacobian = np.diag(p) - np.outer(p, p)
            ds = jacobian @ (values @ g) / D**0.5
            dq[b][i] = ds @ keys
            dk[b][:n] += np.outer(ds, q[b][i])
            dv[b][:n] += np.outer(p, g)
    return dq, dk, dv
