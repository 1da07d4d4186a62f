"""Rounds the random numbers to float32 before they are compared."""
import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u):
    K = len(u)
    r = np.arange(K)
    p, q = target_probs[r, draft_tokens], draft_probs[r, draft_tokens]
    ok = u.astype(np.float32) < p / q
    n = K if ok.all() else int(np.argmin(ok))
    if n == K:
        return draft_tokens.copy(), target_probs[K].copy()
    d = np.maximum(target_probs[n] - draft_probs[n], 0)
    return draft_tokens[:n].copy(), d / d.sum()
