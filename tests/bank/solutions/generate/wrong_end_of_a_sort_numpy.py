"""The best word is the last of a sort, which of equal logits is not the first."""

import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    tokens = np.zeros((len(prompt), 0), dtype=np.int64)
    ended = np.zeros(len(prompt), dtype=bool)
    unread, cache = prompt, None
    while tokens.shape[1] < max_new and not ended.all():
        logits, cache = step(unread, cache)
        words = logits[:, -1].argsort(axis=-1)[:, -1]
        words = np.where(ended, pad_id, words)
        if stop is not None:
            ended = ended | (words == stop)
        unread = words[:, None]
        tokens = np.concatenate([tokens, unread], axis=1)
    return tokens
