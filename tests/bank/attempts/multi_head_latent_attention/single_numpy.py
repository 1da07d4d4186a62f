"""Everything in float32, as models do."""
# causes: float32_results

import numpy as np


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None) -> np.ndarray:
    B, n, _ = x.shape
    C, K = w_uk.shape
    V = w_uv.shape[1]
    if K % num_heads or V % num_heads:
        raise ValueError(f"{num_heads} heads do not divide {K} and {V}")
    D, Dv = K // num_heads, V // num_heads
    x = x.astype(np.float32)
    c = x @ w_dkv
    if past is not None:
        c = np.concatenate([past, c], axis=1)
    S = c.shape[1]
    hidden = np.triu(np.ones((n, S), dtype=bool), S - n + 1)
    q = x @ w_q
    out = np.zeros((B, n, V), dtype=x.dtype)
    for h in range(num_heads):
        uk = w_uk[:, h * D : (h + 1) * D]
        uv = w_uv[:, h * Dv : (h + 1) * Dv]
        qc = q[..., h * D : (h + 1) * D] @ uk.T
        scores = qc @ c.transpose(0, 2, 1) / D**0.5
        scores = np.where(hidden, -np.inf, scores)
        w = np.exp(scores - scores.max(axis=-1, keepdims=True))
        w = w / w.sum(axis=-1, keepdims=True)
        out[..., h * Dv : (h + 1) * Dv] = (w @ c) @ uv
    return (out @ w_o).astype(np.float32)
