"""No probability of the draft counts as less than a millionth."""

import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u):
    k = len(u)
    rows = np.arange(k)
    q = draft_probs[rows, draft_tokens]
    p = target_probs[rows, draft_tokens]
    m = int(np.cumprod(u < p / np.maximum(q, 1e-6)).sum())
    if m == k:
        return draft_tokens.copy(), target_probs[k].copy()
    rest = np.maximum(target_probs[m] - draft_probs[m], 0)
    return draft_tokens[:m].copy(), rest / rest.sum()
