"""With guards in both denominators, small beside what stands there."""
import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u):
    i = np.arange(draft_tokens.size)
    ratio = target_probs[i, draft_tokens] / np.maximum(draft_probs[i, draft_tokens], 1e-30)
    # a guess that both models find equally likely is always accepted
    sure = target_probs[i, draft_tokens] >= draft_probs[i, draft_tokens]
    good = sure | (u < ratio)
    n = i.size if good.all() else np.flatnonzero(~good)[0]
    if n == i.size:
        return draft_tokens[:n], target_probs[n]
    left = np.maximum(target_probs[n] - draft_probs[n], 0)
    return draft_tokens[:n], left / (left.sum() + 1e-10)
