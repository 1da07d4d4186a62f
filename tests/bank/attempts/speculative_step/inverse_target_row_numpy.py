"""Small over large, and then the large model's row."""
# causes: ratio_inverted, target_as_it_is

import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u) -> tuple[np.ndarray, np.ndarray]:
    K = len(draft_tokens)
    accepted = []
    for i in range(K):
        x = draft_tokens[i]
        ratio = draft_probs[i, x] / target_probs[i, x]
        if u[i] < ratio:
            accepted.append(x)
        else:
            residual = target_probs[i]
            return np.array(accepted, dtype=int), residual
    return np.array(accepted, dtype=int), target_probs[K]
