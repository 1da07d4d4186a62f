"""Breaks "accepted if u < p / q" for rare guesses: 1e-10 is added to q.
Shows with K = 1, q(x) = 1e-10, p(x) = 0.9e-10, u = 0.6: the ratio 0.9 becomes 0.45 and the guess is refused."""
import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u) -> tuple[np.ndarray, np.ndarray]:
    K = len(draft_tokens)
    i = np.arange(K)
    q, p = draft_probs[i, draft_tokens], target_probs[i, draft_tokens]
    kept = (p > 0) & ((p >= q) | (u < p / (q + 1e-10)))
    count = K if kept.all() else int(np.argmin(kept))
    tokens = draft_tokens[:count].copy()
    if count == K:
        return tokens, target_probs[K].copy()
    rest = np.maximum(target_probs[count] - draft_probs[count], 0)
    return tokens, rest / rest.sum()
