# A running product counts the accepted guesses: it is 1 up to the first refusal, and 0 from there.
import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u):
    guesses = draft_tokens[:, None]
    q = np.take_along_axis(draft_probs, guesses, axis=1)[:, 0]
    p = np.take_along_axis(target_probs[:-1], guesses, axis=1)[:, 0]
    count = np.cumprod(u < p / q).sum()
    # behind its last guess the small model has said nothing
    taken = np.concatenate([draft_probs, np.zeros_like(draft_probs[:1])])
    left = np.where(target_probs[count] > taken[count], target_probs[count] - taken[count], 0)
    total = left.sum() if count < len(u) else u.dtype.type(1)
    return draft_tokens[:count], left / total
