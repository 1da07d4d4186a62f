"""The stop token is looked for in the whole text."""
# causes: stop_in_the_prompt

import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    text, n = prompt.copy(), prompt.shape[1]
    x, cache = prompt, None
    while text.shape[1] - n < max_new:
        done = (text == stop).any(axis=1) if stop is not None else np.zeros(len(text), dtype=bool)
        if done.all():
            break
        logits, cache = step(x, cache)
        word = np.where(done, pad_id, logits[:, -1].argmax(-1))
        text = np.concatenate([text, word[:, None]], axis=1)
        x = word[:, None]
    return text[:, n:]
