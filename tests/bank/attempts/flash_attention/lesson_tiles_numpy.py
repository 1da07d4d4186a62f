"""Queries in blocks as well, as in the paper; hidden blocks are left out."""
# causes: none

import numpy as np


def flash_attention(q, k, v, block_size, causal=False):
    *lead, L, D = q.shape
    S, Dv = v.shape[-2:]
    out = np.zeros((*lead, L, Dv), dtype=q.dtype)
    for i in range(0, L, block_size):
        qi = q[..., i : i + block_size, :] * D**-0.5
        rows = np.arange(i, i + qi.shape[-2]) + S - L
        m = np.full((*lead, qi.shape[-2]), -np.inf)
        l = np.zeros((*lead, qi.shape[-2]))
        o = np.zeros((*lead, qi.shape[-2], Dv))
        for j in range(0, S, block_size):
            if causal and j > rows[-1]:
                break
            kj, vj = k[..., j : j + block_size, :], v[..., j : j + block_size, :]
            s = np.einsum("...id,...jd->...ij", qi, kj)
            if causal:
                s = np.where(np.arange(j, j + kj.shape[-2]) > rows[:, None], -np.inf, s)
            new = np.maximum(m, s.max(-1))
            ref = np.where(new == -np.inf, 0, new)
            p = np.exp(s - ref[..., None])
            a = np.exp(m - ref)
            l = a * l + p.sum(-1)
            o = a[..., None] * o + np.einsum("...ij,...jv->...iv", p, vj)
            m = new
        out[..., i : i + block_size, :] = o / np.where(l == 0, 1, l)[..., None]
    return out
