"""Double precision inside, int32 tokens."""
import itertools

import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u):
    Q, P = draft_probs.astype(np.float64), target_probs.astype(np.float64)
    scores = [P[i, x] - float(r) * Q[i, x] for i, (x, r) in enumerate(zip(draft_tokens, u))]
    n = len(list(itertools.takewhile(lambda s: s > 0, scores)))
    if n < len(scores):
        P[n] = np.maximum(P[n] - Q[n], 0)
        P[n] /= P[n].sum()
    return draft_tokens[:n].astype(np.int32), P[n].astype(draft_probs.dtype)
