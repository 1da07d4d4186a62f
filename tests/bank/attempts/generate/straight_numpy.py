"""A for loop with a break."""
# causes: none

import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    out = np.zeros((prompt.shape[0], 0), dtype=np.int64)
    done = np.zeros(prompt.shape[0], dtype=bool)
    x, cache = prompt, None
    for _ in range(max_new):
        logits, cache = step(x, cache)
        word = np.argmax(logits[:, -1], axis=-1)
        word[done] = pad_id
        out = np.append(out, word[:, None], axis=1)
        if stop is not None:
            done |= word == stop
            if done.all():
                break
        x = word[:, None]
    return out
