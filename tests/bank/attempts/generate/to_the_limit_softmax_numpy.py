"""No early end, and a softmax that overflows."""
# causes: goes_on_to_max_new, best_of_a_softmax

import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    out, x, cache = [], prompt, None
    done = np.zeros(len(prompt), dtype=bool)
    for _ in range(max_new):
        logits, cache = step(x, cache)
        p = np.exp(logits[:, -1])
        p = p / p.sum(axis=-1, keepdims=True)
        word = np.where(done, pad_id, p.argmax(-1))
        out.append(word)
        if stop is not None:
            done |= word == stop
        x = word[:, None]
    return np.stack(out, axis=1) if out else np.zeros((len(prompt), 0), dtype=np.int64)
