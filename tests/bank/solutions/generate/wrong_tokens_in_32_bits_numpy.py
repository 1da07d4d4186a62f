"""Writes the tokens into 32 bits, which some padding does not fit in."""

import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    B = prompt.shape[0]
    out = np.full((B, max_new), pad_id, dtype=np.int32)
    done = np.zeros(B, dtype=bool)
    cache = None
    feed = prompt
    t = 0
    while t < max_new and not done.all():
        logits, cache = step(feed, cache)
        best = np.argmax(logits[:, -1], axis=-1).astype(np.int64)
        out[~done, t] = best[~done]
        if stop is not None:
            done |= best == stop
        feed = best[:, None]
        t += 1
    return out[:, :t]
