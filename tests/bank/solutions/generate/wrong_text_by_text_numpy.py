"""Each text alone, with a model of its own: the tokens are right, and the calls are too many."""
import numpy as np


def generate(step, prompt, max_new, stop=None, pad_id=0):
    texts = []
    for row in prompt:
        words, cache, unread = [], None, row[None]
        while len(words) < max_new and (stop is None or stop not in words):
            logits, cache = step(unread, cache)
            words.append(int(logits[0, -1].argmax()))
            unread = np.array([[words[-1]]])
        texts.append(words)
    longest = max(map(len, texts))
    return np.array([t + [pad_id] * (longest - len(t)) for t in texts], dtype=int).reshape(len(prompt), -1)
