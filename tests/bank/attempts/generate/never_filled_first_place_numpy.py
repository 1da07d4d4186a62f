"""Ended texts simply go on, and the scores are those of the first place."""
# causes: goes_on_after_its_end, first_place

import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    out, x, cache = [], prompt, None
    done = np.zeros(len(prompt), dtype=bool)
    while len(out) < max_new and not done.all():
        logits, cache = step(x, cache)
        word = logits[:, 0].argmax(-1)
        out.append(word)
        if stop is not None:
            done |= word == stop
        x = word[:, None]
    return np.stack(out, axis=1) if out else np.zeros((len(prompt), 0), dtype=np.int64)
