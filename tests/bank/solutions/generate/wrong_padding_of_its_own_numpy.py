"""Texts are filled up with -1 where nothing else is asked for."""

import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=-1):
    """prompt (B, n) -> the new tokens (B, k)"""
    tokens = np.zeros((len(prompt), 0), dtype=np.int64)
    ended = np.zeros(len(prompt), dtype=bool)
    unread, cache = prompt, None
    while tokens.shape[1] < max_new and not ended.all():
        logits, cache = step(unread, cache)
        best = logits[:, -1].argmax(axis=-1)  # (B,)
        best = np.where(ended, pad_id, best)
        if stop is not None:
            ended = ended | (best == stop)
        unread = best[:, None]  # (B, 1)
        tokens = np.concatenate([tokens, unread], axis=1)
    return tokens
