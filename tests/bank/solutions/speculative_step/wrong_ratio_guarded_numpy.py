"""A guard in the ratio, of which an unlikely guess shows the size."""

import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u):
    k = len(u)
    rows = np.arange(k)
    q = draft_probs[rows, draft_tokens]
    p = target_probs[rows, draft_tokens]
    m = int(np.cumprod(u < p / (q + 1e-9)).sum())
    if m == k:
        return draft_tokens.copy(), target_probs[k].copy()
    rest = np.maximum(target_probs[m] - draft_probs[m], 0)
    return draft_tokens[:m].copy(), rest / rest.sum()
