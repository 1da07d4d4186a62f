"""A row of zeros for the small model behind its last guess."""
# causes: none

import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u) -> tuple[np.ndarray, np.ndarray]:
    K, V = draft_probs.shape
    rows = np.arange(K)
    q = draft_probs[rows, draft_tokens]
    p = target_probs[rows, draft_tokens]
    rejected = u >= p / q
    n = int(rejected.argmax()) if rejected.any() else K
    q_rows = np.concatenate([draft_probs, np.zeros((1, V), dtype=draft_probs.dtype)])
    diff = np.clip(target_probs[n] - q_rows[n], 0, None)
    next_probs = diff / diff.sum() if n < K else diff
    return draft_tokens[:n], next_probs
