"""Accept with the large model's probability; keep what is positive."""
# causes: no_ratio, not_renormalised

import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u) -> tuple[np.ndarray, np.ndarray]:
    K = len(draft_tokens)
    accepted = []
    for i in range(K):
        x = draft_tokens[i]
        ratio = target_probs[i, x]
        if u[i] < ratio:
            accepted.append(x)
        else:
            residual = np.maximum(target_probs[i] - draft_probs[i], 0)
            return np.array(accepted, dtype=int), residual
    return np.array(accepted, dtype=int), target_probs[K]
