"""An epsilon of a hundredth in the ratio."""

import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u) -> tuple[np.ndarray, np.ndarray]:
    K, V = draft_probs.shape
    rows = np.arange(K)
    q = draft_probs[rows, draft_tokens]
    p = target_probs[rows, draft_tokens]
    rejected = u >= p / (q + 0.01)
    n = int(rejected.argmax()) if rejected.any() else K
    if n == K:
        next_probs = target_probs[n]
    else:
        diff = target_probs[n] - draft_probs[n]
        diff[diff < 0] = 0
        next_probs = diff / diff.sum()
    return draft_tokens[:n], next_probs
