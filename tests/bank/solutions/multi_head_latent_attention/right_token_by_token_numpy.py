"""One new token after the other, each with a cache of its own length; in double precision."""
import numpy as np


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None):
    K, V = w_uk.shape[1], w_uv.shape[1]
    if K % num_heads != 0 or V % num_heads != 0:
        raise ValueError(f"{num_heads} heads: {K}, {V}")
    kind = x.dtype
    x, w_dkv, w_uk, w_uv, w_q, w_o = (np.asarray(a, float) for a in (x, w_dkv, w_uk, w_uv, w_q, w_o))
    uk = np.stack(np.split(w_uk, num_heads, axis=1))
    uv = np.stack(np.split(w_uv, num_heads, axis=1))
    cache = np.zeros((len(x), 0, len(w_uk))) if past is None else past.astype(float)
    rows = []
    for i in range(x.shape[1]):
        cache = np.concatenate([cache, (x[:, i] @ w_dkv)[:, None]], axis=1)
        q = np.stack(np.split(x[:, i] @ w_q, num_heads, axis=1), axis=1)
        s = np.einsum("bhc,bsc->bhs", np.einsum("bhd,hcd->bhc", q, uk), cache) / np.sqrt(K / num_heads)
        w = np.exp(s - s.max(-1, keepdims=True))
        w /= w.sum(-1, keepdims=True)
        o = np.einsum("bhc,hcv->bhv", np.einsum("bhs,bsc->bhc", w, cache), uv)
        rows.append(o.reshape(len(x), V) @ w_o)
    return np.stack(rows, axis=1).astype(kind)
