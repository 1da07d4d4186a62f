"""What is left over of the large model."""
# causes: not_renormalised

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
        diff[diff < 0] = 0
        next_probs = diff
    return draft_tokens[:n], next_probs
