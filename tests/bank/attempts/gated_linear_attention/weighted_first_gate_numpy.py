"""What is written counts one minus the gate, and the first gate of a chunk does not reach the state."""
# causes: new_token_weighted, first_gate_left_out

import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    B, H, n, D = q.shape
    k = (1 - gates) * k
    state = np.zeros((B, H, D, v.shape[-1]), v.dtype)
    out = np.empty_like(v)
    for s in range(0, n, chunk):
        Q, K, V, G = (x[:, :, s : s + chunk] for x in (q, k, v, gates))
        m = Q.shape[2]
        F = np.ones((B, H, m, m, D), v.dtype)
        for i in range(1, m):
            F[:, :, i, :i] = F[:, :, i - 1, :i] * G[:, :, i, None]
        A = np.tril(np.einsum("bhid,bhijd,bhjd->bhij", Q, F, K))
        out[:, :, s : s + chunk] = A @ V + (Q * F[:, :, :, 0]) @ state
        state = G.prod(axis=2)[..., None] * state + (K * F[:, :, -1]).swapaxes(2, 3) @ V
    return out
