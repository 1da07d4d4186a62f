import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u) -> tuple[np.ndarray, np.ndarray]:
    """Keep the guesses of a small model that a large one may have made itself.

    draft_probs   (K, V), what the small model drew its guesses from
    target_probs  (K + 1, V), what the large model says in the same places, and one further
    draft_tokens  (K,), the guesses
    u             (K,), a random number for each, 0 or more and below 1
    returns       tokens (A,), next_probs (V,)
    """
    raise NotImplementedError
