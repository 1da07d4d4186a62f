"""Everything by einsum, zeros counted beside the logarithms."""
# causes: none

import numpy as np


def gated_linear_attention(q, k, v, gates, chunk: int) -> np.ndarray:
    zero = gates == 0
    logs = np.log(np.where(zero, 1, gates))
    S = np.zeros((*q.shape[:2], q.shape[3], v.shape[3]), dtype=v.dtype)
    rows = []
    for s in range(0, q.shape[2], chunk):
        cut = (slice(None), slice(None), slice(s, s + chunk))
        a, z = np.cumsum(logs[cut], axis=2), np.cumsum(zero[cut], axis=2)
        i = np.arange(a.shape[2])
        seen = (z[:, :, :, None] == z[:, :, None]) & (i[:, None] >= i)[:, :, None]
        P = np.exp(np.where(seen, a[:, :, :, None] - a[:, :, None], -np.inf))
        inner = np.einsum("bhij,bhjv->bhiv", np.einsum("bhid,bhijd,bhjd->bhij", q[cut], P, k[cut]), v[cut])
        open_ = np.exp(a) * (z == 0)
        rows.append(inner + np.einsum("bhid,bhdv->bhiv", q[cut] * open_, S))
        S = open_[:, :, -1, :, None] * S + np.einsum("bhjd,bhjv->bhdv", k[cut] * P[:, :, -1], v[cut])
    return np.concatenate(rows, axis=2)
