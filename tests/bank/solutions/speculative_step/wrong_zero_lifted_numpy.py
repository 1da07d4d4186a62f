"""Lifts u to 1e-7, so with u = 0 an unlikely but possible guess is refused."""
import numpy as np

_LEAST = 1e-7  # a u of 0 should not let anything impossible pass


def accept(draft_probs, target_probs, draft_tokens, u) -> tuple[np.ndarray, np.ndarray]:
    """Keep the guesses of a small model that a large one may have made itself.

    draft_probs   (K, V), what the small model drew its guesses from
    target_probs  (K + 1, V), what the large model says in the same places, and one further
    draft_tokens  (K,), the guesses
    u             (K,), a random number for each, 0 or more and below 1
    returns       tokens (A,), next_probs (V,)
    """
    places = len(draft_tokens)
    rows = np.arange(places)
    large = target_probs[rows, draft_tokens]
    small = draft_probs[rows, draft_tokens]
    accepted = np.maximum(u, _LEAST) < large / small
    m = int(np.minimum.accumulate(accepted).sum())
    tokens = np.array(draft_tokens[:m])
    if m == places:
        return tokens, np.array(target_probs[m])
    surplus = np.maximum(target_probs[m] - draft_probs[m], 0)
    return tokens, surplus / surplus.sum()
