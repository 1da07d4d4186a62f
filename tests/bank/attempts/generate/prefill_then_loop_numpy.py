"""The prompt first, then a loop over single tokens."""
# causes: none

import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    B = len(prompt)
    if max_new == 0:
        return np.empty((B, 0), dtype=np.int64)
    logits, cache = step(prompt)
    words = [logits[:, -1].argmax(axis=1)]
    ended = words[0] == stop if stop is not None else np.zeros(B, dtype=bool)
    while len(words) < max_new and not ended.all():
        logits, cache = step(words[-1][:, None], cache)
        best = logits[:, 0].argmax(axis=1)
        words.append(np.where(ended, pad_id, best))
        if stop is not None:
            ended = ended | (words[-1] == stop)
    return np.array(words).T
