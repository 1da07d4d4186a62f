"""Stops as soon as one text stops."""
# causes: all_end_with_the_first

import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    out, x, cache = [], prompt, None
    for _ in range(max_new):
        logits, cache = step(x, cache)
        word = logits[:, -1].argmax(-1)
        out.append(word)
        if stop is not None and (word == stop).any():
            break
        x = word[:, None]
    return np.stack(out, axis=1) if out else np.zeros((len(prompt), 0), dtype=np.int64)
