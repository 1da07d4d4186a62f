"""Everything is written first; padding comes after the first stop token of each text."""
import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    tokens = np.zeros((len(prompt), 0), int)
    cache = None
    while tokens.shape[1] < max_new:
        if stop is not None and (tokens == stop).any(axis=1).all():
            break
        unread = tokens[:, -1:] if tokens.size else prompt
        logits, cache = step(unread, cache)
        tokens = np.hstack([tokens, logits[:, -1:].argmax(axis=-1)])
    if stop is None:
        return tokens
    before = np.cumsum(tokens == stop, axis=1) - (tokens == stop)
    return np.where(before > 0, pad_id, tokens)
