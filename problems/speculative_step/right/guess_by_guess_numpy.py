# One guess after the other, as one says it: the loop ends at the first refusal.
import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u):
    for i, token in enumerate(draft_tokens):
        if u[i] >= target_probs[i, token] / draft_probs[i, token]:
            more = (target_probs[i] - draft_probs[i]).clip(min=0)
            return draft_tokens[:i], more / np.sum(more)
    return draft_tokens.copy(), target_probs[-1].copy()
