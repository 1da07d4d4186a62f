"""A step on the first guess, then the same for the rest."""
import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u):
    if len(draft_tokens) == 0:
        return draft_tokens, target_probs[0]
    q, p, x = draft_probs[0], target_probs[0], draft_tokens[0]
    if p[x] <= u[0] * q[x]:
        rest = np.where(p > q, p - q, 0)
        return draft_tokens[:0], rest / rest.sum()
    tokens, following = accept(draft_probs[1:], target_probs[1:], draft_tokens[1:], u[1:])
    return np.append(x, tokens).astype(draft_tokens.dtype), following
