"""Stops when a word comes twice in a row, as if that were an end."""
import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    tokens, ended, cache, unread = np.zeros((len(prompt), 0), int), np.zeros(len(prompt), bool), None, prompt
    while tokens.shape[1] < max_new and not ended.all():
        logits, cache = step(unread, cache)
        best = np.where(ended, pad_id, logits[:, -1].argmax(-1))
        ended = ended | (best == unread[:, -1]) | (False if stop is None else best == stop)
        unread = best[:, None]
        tokens = np.concatenate([tokens, unread], axis=1)
    return tokens
