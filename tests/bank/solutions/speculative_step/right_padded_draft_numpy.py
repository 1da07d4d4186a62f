"""The draft has a last row of zeros, so the row behind all guesses is no special case."""

import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u):
    draft = np.vstack([draft_probs, np.zeros_like(target_probs[:1])])
    kept = []
    for at, (x, r) in enumerate(zip(draft_tokens.tolist(), u.tolist(), strict=True)):
        p, q = float(target_probs[at, x]), float(draft[at, x])
        if p == 0 or r >= min(1.0, p / q):
            break
        kept.append(x)
    rest = np.clip(target_probs[len(kept)] - draft[len(kept)], 0, None)
    return np.array(kept, dtype=np.int64), rest / rest.sum()
