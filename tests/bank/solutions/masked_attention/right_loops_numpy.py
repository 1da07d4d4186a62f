"""Right: a loop over sequences and queries, each with a softmax over the keys it sees only."""
import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    B, L, D = q.shape
    S = k.shape[1]
    output = np.zeros((B, L, v.shape[2]), q.dtype)
    weights = np.zeros((B, L, S), q.dtype)
    for b in range(B):
        for i in range(L):
            seen = [j for j in range(S) if (padding_mask is None or padding_mask[b, j]) and (not causal or j <= i + S - L)]
            if not seen:
                continue
            scores = k[b, seen] @ q[b, i] / float(np.sqrt(D))
            scores = np.exp(scores - scores.max())
            weights[b, i, seen] = scores / scores.sum()
            output[b, i] = weights[b, i, seen] @ v[b, seen]
    return output, weights
