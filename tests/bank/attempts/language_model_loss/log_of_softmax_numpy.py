"""Probabilities first, as the formula says."""
# causes: logarithm_of_a_softmax

import numpy as np


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def language_model_loss(logits, tokens, pad_id=0):
    ok = (tokens[:, :-1] != pad_id) & (tokens[:, 1:] != pad_id)
    p = softmax(logits[:, :-1][ok])
    y = tokens[:, 1:][ok]
    return -np.log(p[np.arange(len(y)), y]).sum() / max(len(y), 1)
