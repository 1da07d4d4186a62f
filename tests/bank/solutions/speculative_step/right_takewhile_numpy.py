"""takewhile over the places, Python numbers for the decisions, and the next row worked out in an own copy."""
from itertools import takewhile

import numpy as np


def accept(draft_probs, target_probs, draft_tokens, u) -> tuple[np.ndarray, np.ndarray]:
    def fits(i):
        x = int(draft_tokens[i])
        q, p, chance = float(draft_probs[i, x]), float(target_probs[i, x]), float(u[i])
        if p == 0.0:
            return False
        return p >= q or chance < p / q

    kept = [int(draft_tokens[i]) for i in takewhile(fits, range(len(draft_tokens)))]
    tokens = np.asarray(kept, dtype=np.int64)
    place = tokens.size
    following = target_probs[place].copy()
    if place < len(draft_tokens):
        following -= draft_probs[place]
        np.maximum(following, 0, out=following)
        following /= following.sum()
    return tokens, following
