"""The heads must divide the sum of both widths only."""
import numpy as np


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None):
    H = num_heads
    if (w_uk.shape[-1] + w_uv.shape[-1]) % H:
        raise ValueError(H)
    C = w_dkv.shape[-1]
    D, Dv = w_uk.shape[-1] // H, w_uv.shape[-1] // H
    kv = x @ w_dkv
    if past is not None:
        kv = np.concatenate((past, kv), axis=1)
    n, T = x.shape[1], kv.shape[1]
    q = np.einsum("bne,ehd->bhnd", x, w_q[:, :H * D].reshape(-1, H, D))
    q = np.einsum("bhnd,chd->bhnc", q, w_uk[:, :H * D].reshape(C, H, D))
    s = np.einsum("bhnc,btc->bhnt", q, kv) * x.dtype.type(D**-0.5)
    s = np.where(np.tri(n, T, T - n, dtype=bool), s, -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    o = np.einsum("bhnc,chv->bnhv", np.einsum("bhnt,btc->bhnc", p, kv), w_uv[:, :H * Dv].reshape(C, H, Dv))
    return o.reshape(*x.shape[:2], -1) @ w_o[:H * Dv]
