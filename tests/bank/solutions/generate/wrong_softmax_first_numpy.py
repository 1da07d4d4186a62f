"""The largest probability, which several different logits may share."""

import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    columns, over = [], np.zeros(len(prompt), bool)
    fed, cache = prompt, None
    while len(columns) < max_new and not over.all():
        logits, cache = step(fed, cache)
        e = np.exp(logits[:, -1] - logits[:, -1].max(axis=-1, keepdims=True))
        word = (e / e.sum(axis=-1, keepdims=True)).argmax(axis=-1)
        columns.append(np.where(over, pad_id, word))
        if stop is not None:
            over |= word == stop
        fed = word[:, None]
    if not columns:
        return np.empty((len(prompt), 0), np.int64)
    return np.stack(columns, axis=1).astype(np.int64)
