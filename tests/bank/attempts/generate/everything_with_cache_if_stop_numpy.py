"""The whole text and the cache together; a stop token of 0 is taken for none."""
# causes: whole_text_and_cache, zero_stops_nothing

import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    text, n, cache = prompt, prompt.shape[1], None
    done = np.zeros(len(prompt), dtype=bool)
    for _ in range(max_new):
        logits, cache = step(text, cache)
        word = np.where(done, pad_id, logits[:, -1].argmax(-1))
        text = np.concatenate([text, word[:, None]], axis=1)
        if stop:
            done |= word == stop
        if done.all():
            break
    return text[:, n:]
