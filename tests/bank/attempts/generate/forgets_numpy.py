"""The second argument is forgotten."""
# causes: cache_not_passed

import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    out, x = [], prompt
    done = np.zeros(len(prompt), dtype=bool)
    while len(out) < max_new and not done.all():
        logits, cache = step(x)
        word = np.where(done, pad_id, logits[:, -1].argmax(-1))
        out.append(word)
        done |= stop is not None and word == stop
        x = word[:, None]
    return np.stack(out, axis=1) if out else np.zeros((len(prompt), 0), dtype=np.int64)
