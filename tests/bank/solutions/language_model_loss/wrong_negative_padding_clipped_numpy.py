"""Negative tokens are clipped to 0 before anything else, so -1 is never found."""
import numpy as np


def language_model_loss(logits, tokens, pad_id=0):
    tokens = np.maximum(tokens, 0)
    keep = (tokens[:, :-1] != pad_id) & (tokens[:, 1:] != pad_id)
    said, words = logits[:, :-1][keep], tokens[:, 1:][keep]
    top = said.max(axis=-1)
    lse = top + np.log(np.exp(said - top[:, None]).sum(axis=-1))
    return (lse - said[np.arange(len(words)), words]).sum() / max(len(words), 1)
