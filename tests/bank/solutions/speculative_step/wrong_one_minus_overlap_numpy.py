"""Divides what is left by 1 minus what both models share, as if each row summed to exactly 1."""
import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u):
    K = len(u)
    r = np.arange(K)
    p, q = target_probs[r, draft_tokens], draft_probs[r, draft_tokens]
    ok = u < p / q
    n = int((np.cumsum(~ok) == 0).sum())
    if n == K:
        return draft_tokens, target_probs[K]
    d = (np.abs(target_probs[n] - draft_probs[n]) + target_probs[n] - draft_probs[n]) / 2
    s = 1 - np.minimum(target_probs[n], draft_probs[n]).sum()
    return draft_tokens[:n], d / s
