"""The next scores are fetched at the end of each turn."""
# causes: last_token_read

import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    out = np.zeros((len(prompt), 0), dtype=np.int64)
    done = np.zeros(len(prompt), dtype=bool)
    if max_new < 1:
        return out
    logits, cache = step(prompt)
    while out.shape[1] < max_new and not done.all():
        word = np.where(done, pad_id, logits[:, -1].argmax(-1))
        out = np.concatenate([out, word[:, None]], axis=1)
        if stop is not None:
            done |= word == stop
        logits, cache = step(word[:, None], cache)
    return out
