"""The text grows, and the model reads all of it each time."""
# causes: whole_text_read_again

import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    text, n = prompt, prompt.shape[1]
    done = np.zeros(len(prompt), dtype=bool)
    for _ in range(max_new):
        logits, _ = step(text)
        word = np.where(done, pad_id, logits[:, -1].argmax(-1))
        text = np.concatenate([text, word[:, None]], axis=1)
        if stop is not None:
            done |= word == stop
        if done.all():
            break
    return text[:, n:]
