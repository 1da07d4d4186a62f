"""With no new token there is nothing to stack."""
import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    columns, ended, cache, unread = [], np.zeros(len(prompt), bool), None, prompt
    while len(columns) < max_new and not ended.all():
        logits, cache = step(unread, cache)
        best = np.where(ended, pad_id, logits[:, -1].argmax(-1))
        ended = ended if stop is None else ended | (best == stop)
        unread = best[:, None]
        columns.append(best)
    return np.stack(columns, axis=1)
