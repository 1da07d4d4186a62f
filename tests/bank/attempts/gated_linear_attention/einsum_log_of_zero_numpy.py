"""Cumulative logarithms, subtracted from each other."""
# causes: logarithm_of_zero

import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    with np.errstate(all="ignore"):
        log_gates = np.log(gates)
        S = np.zeros((q.shape[0], q.shape[1], q.shape[3], v.shape[3]), v.dtype)
        parts = []
        for s in range(0, q.shape[2], chunk):
            cut = np.s_[:, :, s : s + chunk]
            c = np.cumsum(log_gates[cut], axis=2)
            W = np.exp(np.minimum(c[:, :, :, None] - c[:, :, None], 0))
            A = np.tril(np.einsum("bhid,bhijd,bhjd->bhij", q[cut], W, k[cut]))
            parts.append(A @ v[cut] + (q[cut] * np.exp(c)) @ S)
            S = np.exp(c[:, :, -1])[..., None] * S + np.einsum("bhjd,bhje->bhde", k[cut] * W[:, :, -1], v[cut])
        return np.concatenate(parts, axis=2)
