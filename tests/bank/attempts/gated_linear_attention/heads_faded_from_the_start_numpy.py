"""Head by head, with the products so far where the products to come belong."""
# causes: keys_faded_from_the_start

import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    out = np.empty_like(v)
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            S = np.zeros((q.shape[3], v.shape[3]), v.dtype)
            for s in range(0, q.shape[2], chunk):
                Q, K, V, G = (x[b, h, s : s + chunk] for x in (q, k, v, gates))
                C = len(Q)
                total = np.cumprod(G, axis=0)
                W = np.cumprod(np.where(np.tri(C, k=-1, dtype=bool)[..., None], G[:, None], G.dtype.type(1)), axis=0)
                out[b, h, s : s + chunk] = np.tril(np.einsum("id,ijd,jd->ij", Q, W, K)) @ V + (Q * total) @ S
                S = total[-1][:, None] * S + (K * total).T @ V
    return out
