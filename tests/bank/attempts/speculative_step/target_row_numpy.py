"""After a refusal draw from the large model."""
# causes: target_as_it_is

import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u) -> tuple[np.ndarray, np.ndarray]:
    K = len(draft_tokens)
    accepted = []
    for i in range(K):
        x = draft_tokens[i]
        ratio = target_probs[i, x] / draft_probs[i, x]
        if u[i] < ratio:
            accepted.append(x)
        else:
            residual = target_probs[i]
            return np.array(accepted, dtype=int), residual
    return np.array(accepted, dtype=int), target_probs[K]
