"""The last row is sharpened a little."""

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
            residual = np.maximum(target_probs[i] - draft_probs[i], 0)
            residual = residual / residual.sum()
            return np.array(accepted, dtype=int), residual
    return np.array(accepted, dtype=int), target_probs[K] ** 1.01 / (target_probs[K] ** 1.01).sum()
