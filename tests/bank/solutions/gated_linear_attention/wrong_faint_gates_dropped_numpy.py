import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    gates = np.where(gates < 1e-6, 0, gates)
    # all chunks at once, step by step inside; then the memories from chunk to chunk
    B, H, n, D = q.shape
    E = v.shape[-1]
    size = 96
    pad = -n % size
    wide = lambda x: np.pad(x, ((0, 0), (0, 0), (0, pad), (0, 0))).reshape(B, H, -1, size, x.shape[-1])
    Q, K, V, G = (wide(x) for x in (q, k, v, gates))
    m = Q.shape[2]
    M = np.zeros((B, H, m, D, E), q.dtype)
    own = np.empty((B, H, m, size, E), q.dtype)
    run = np.ones((B, H, m, D), q.dtype)
    since = np.empty_like(Q)
    for t in range(size):
        g = G[:, :, :, t]
        M = g[..., None] * M + K[:, :, :, t, :, None] * V[:, :, :, t, None, :]
        own[:, :, :, t] = np.einsum("bhmd,bhmde->bhme", Q[:, :, :, t], M)
        run = run * g
        since[:, :, :, t] = run
    past = np.zeros((B, H, D, E), q.dtype)
    for c in range(m):
        own[:, :, c] += (Q[:, :, c] * since[:, :, c]) @ past
        past = run[:, :, c, :, None] * past + M[:, :, c]
    return own.reshape(B, H, -1, E)[:, :, :n]
