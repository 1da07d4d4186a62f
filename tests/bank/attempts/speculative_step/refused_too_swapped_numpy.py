"""The refused guess ends the list; small minus large is left."""
# causes: refused_guess_kept, draft_minus_target

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
            residual = np.maximum(draft_probs[i] - target_probs[i], 0)
            residual = residual / residual.sum()
            accepted.append(x)
            return np.array(accepted, dtype=int), residual
    return np.array(accepted, dtype=int), target_probs[K]
