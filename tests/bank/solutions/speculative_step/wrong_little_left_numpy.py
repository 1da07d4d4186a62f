"""Breaks "What is left is shared out" where the models are nearly of one mind: below 1e-4 the large model's row is returned.
Shows in float64 with q = (0.50005, 0.49995), p = (0.5, 0.5), guess 0, u = 0.99995: must be (0, 1), is (0.5, 0.5)."""
import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u) -> tuple[np.ndarray, np.ndarray]:
    K = len(draft_tokens)
    i = np.arange(K)
    q, p = draft_probs[i, draft_tokens], target_probs[i, draft_tokens]
    kept = (p > 0) & ((p >= q) | (u < p / q))
    count = K if kept.all() else int(np.argmin(kept))
    tokens = draft_tokens[:count].copy()
    row = target_probs[count].copy()
    if count < K:
        rest = np.maximum(row - draft_probs[count], 0)
        left = rest.sum()
        if left > 1e-4:
            row = rest / left
    return tokens, row
