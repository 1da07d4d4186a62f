"""One query at a time, over the keys that it may see."""
# causes: none

import numpy as np


def masked_attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    padding_mask: np.ndarray | None = None,
    causal: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    B, L, D = q.shape
    S = k.shape[1]
    output = np.zeros((B, L, v.shape[2]))
    weights = np.zeros((B, L, S))
    for b in range(B):
        for i in range(L):
            seen = [
                j
                for j in range(S)
                if (padding_mask is None or padding_mask[b, j]) and (not causal or j <= i + S - L)
            ]
            if not seen:
                continue
            s = k[b, seen] @ q[b, i] / np.sqrt(D)
            e = np.exp(s - s.max())
            weights[b, i, seen] = e / e.sum()
            output[b, i] = weights[b, i] @ v[b]
    return output, weights
