"""Keep what passes; the distance of the two models."""
# causes: all_that_pass, absolute_difference

import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u) -> tuple[np.ndarray, np.ndarray]:
    K, V = draft_probs.shape
    rows = np.arange(K)
    q = draft_probs[rows, draft_tokens]
    p = target_probs[rows, draft_tokens]
    rejected = u >= p / q
    n = int(rejected.argmax()) if rejected.any() else K
    if n == K:
        next_probs = target_probs[n]
    else:
        diff = target_probs[n] - draft_probs[n]
        diff = np.abs(diff)
        next_probs = diff / diff.sum()
    return draft_tokens[~rejected], next_probs
