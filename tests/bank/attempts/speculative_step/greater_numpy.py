"""Keep a guess if the large model likes it more."""
# causes: u_ignored

import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u) -> tuple[np.ndarray, np.ndarray]:
    K = len(draft_tokens)
    accepted = []
    for i in range(K):
        x = draft_tokens[i]
        ratio = target_probs[i, x] / draft_probs[i, x]
        if ratio >= 1:
            accepted.append(x)
        else:
            residual = np.maximum(target_probs[i] - draft_probs[i], 0)
            residual = residual / residual.sum()
            return np.array(accepted, dtype=int), residual
    return np.array(accepted, dtype=int), target_probs[K]
