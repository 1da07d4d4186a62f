"""A table full of padding is written into, and cut at the end."""
import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    B = prompt.shape[0]
    table = np.full((B, max_new), pad_id)
    going, cache = set(range(B)), None
    for turn in range(max_new):
        if not going:
            return table[:, :turn]
        logits, cache = step(table[:, turn - 1 : turn] if turn else prompt, cache)
        for b in sorted(going):
            word = max(range(logits.shape[2]), key=logits[b, -1].__getitem__)
            table[b, turn] = word
            if stop is not None and word == stop:
                going.discard(b)
    return table
