"""The limit is looked at after the token; the stop token is not kept."""
# causes: at_least_one, stop_left_out

import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    out, x, cache = [], prompt, None
    done = np.zeros(len(prompt), dtype=bool)
    while True:
        logits, cache = step(x, cache)
        word = np.where(done, pad_id, logits[:, -1].argmax(-1))
        x = word[:, None]
        if stop is not None:
            done |= word == stop
        out.append(np.where(done, pad_id, word))
        if len(out) >= max_new or done.all():
            return np.stack(out, axis=1)
