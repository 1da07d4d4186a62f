import numpy as np

def _phi(x):
    return np.exp(np.minimum(x, 0)) + np.maximum(x, 0)

def causal_linear_attention(q, k, v):
    B, n, D = q.shape
    fq, fk = _phi(q.astype(np.float64)), _phi(k.astype(np.float64))
    out = np.empty(v.shape, v.dtype)
    memory = np.zeros((B, D, v.shape[2]))
    seen = np.zeros((B, D))
    step = 128
    for at in range(0, n, step):
        end = min(n, at + step)
        a, b, c = fq[:, at:end], fk[:, at:end], v[:, at:end]
        pair = np.tril(np.einsum("bid,bjd->bij", a, b))
        top = pair @ c + a @ memory
        low = pair.sum(2) + np.einsum("bid,bd->bi", a, seen)
        out[:, at:end] = top / low[..., None]
        memory += b.swapaxes(1, 2) @ c
        seen += b.sum(1)
    return out
