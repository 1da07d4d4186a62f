"""Never more than three guesses."""

import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u) -> tuple[np.ndarray, np.ndarray]:
    K, V = draft_probs.shape
    rows = np.arange(K)
    q = draft_probs[rows, draft_tokens]
    p = target_probs[rows, draft_tokens]
    rejected = u >= p / q
    n = int(rejected.argmax()) if rejected.any() else min(K, 3)
    if n == K:
        next_probs = target_probs[n]
    else:
        diff = target_probs[n] - draft_probs[n]
        diff[diff < 0] = 0
        next_probs = diff / diff.sum()
    return draft_tokens[:n], next_probs
