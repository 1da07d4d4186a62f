"""Plain Python numbers, and arrays only at the end."""
import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u):
    kind = draft_probs.dtype
    guesses = [int(t) for t in draft_tokens]
    Q, P, draws = draft_probs.tolist(), target_probs.tolist(), u.tolist()
    kept = []
    for q, p, x, r in zip(Q, P, guesses, draws):
        if not r < min(1.0, p[x] / q[x]):
            gain = [max(a - b, 0.0) for a, b in zip(p, q)]
            total = sum(gain)
            return np.array(kept, dtype=np.int64), np.array([g / total for g in gain], dtype=kind)
        kept.append(x)
    return np.array(kept, dtype=np.int64), np.array(P[-1], dtype=kind)
