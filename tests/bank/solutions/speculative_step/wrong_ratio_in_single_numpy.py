"""The ratio is computed in float32."""

import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u):
    K = len(u)
    at = np.arange(K)
    ratio = target_probs[at, draft_tokens].astype(np.float32) / draft_probs[
        at, draft_tokens
    ].astype(np.float32)
    ok = u < np.minimum(ratio, 1)
    m = int(np.logical_and.accumulate(ok).sum())
    if m == K:
        return draft_tokens.copy(), target_probs[-1].copy()
    left = np.maximum(target_probs[m] - draft_probs[m], 0)
    return draft_tokens[:m].copy(), left / left.sum()
