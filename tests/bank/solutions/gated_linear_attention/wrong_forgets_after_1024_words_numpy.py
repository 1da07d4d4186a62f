import numpy as np

def gated_linear_attention(q, k, v, gates, chunk):
    B, H, n, D = q.shape
    Dv = v.shape[3]
    a = gates.astype(np.float64)[..., None].copy()
    m = k.astype(np.float64)[..., None] * v.astype(np.float64)[..., None, :]
    step = 1
    while step < min(n, 1024):
        m[:, :, step:] += a[:, :, step:] * m[:, :, :-step].copy()
        a[:, :, step:] = a[:, :, step:] * a[:, :, :-step].copy()
        step *= 2
    return np.einsum("bhnd,bhndv->bhnv", q, m).astype(v.dtype)
