"""One step of speculative decoding: Leviathan et al. 2023, algorithm 1; Chen et al. 2023."""

import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u):
    """draft_probs (K, V), target_probs (K + 1, V), tokens and u (K,) -> tokens (A,), next (V,)."""
    K = len(draft_tokens)
    q = draft_probs[np.arange(K), draft_tokens]  # (K,), of the guesses
    p = target_probs[np.arange(K), draft_tokens]  # (K,)
    kept = u * q < p  # with the probability min(1, p / q)
    if kept.all():
        return draft_tokens, target_probs[K]
    first = int(np.argmin(kept))  # the first refusal
    left = np.maximum(target_probs[first] - draft_probs[first], 0)  # (V,)
    return draft_tokens[:first], left / left.sum()
