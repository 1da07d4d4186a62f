"""Right: the definition word by word: for each query the index set V_i is built and only its keys are touched."""
import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    B, L, D = q.shape
    S = k.shape[1]
    weights = np.zeros((B, L, S), dtype=q.dtype)
    output = np.zeros((B, L, v.shape[2]), dtype=q.dtype)
    root = D**0.5
    for b in range(B):
        allowed = np.arange(S) if padding_mask is None else np.flatnonzero(padding_mask[b])
        for i in range(L):
            seen = allowed[allowed <= i + S - L] if causal else allowed
            if not seen.size:
                continue
            scores = k[b, seen] @ q[b, i] / root
            e = np.exp(scores - scores.max())
            e = e / e.sum()
            weights[b, i, seen] = e
            output[b, i] = e @ v[b, seen]
    return output, weights
