"""Whole tables, and `where` for what does not count."""
import numpy as np


def language_model_loss(logits, tokens, pad_id=0):
    word = tokens != pad_id
    keep = word[:, 1:] & word[:, :-1]
    said = np.where(keep[..., None], logits[:, :-1], 0)
    target = np.where(keep, tokens[:, 1:], 0)[..., None]
    top = said.max(axis=-1, keepdims=True)
    lse = top + np.log(np.exp(said - top).sum(axis=-1, keepdims=True))
    loss = (lse - np.take_along_axis(said, target, axis=-1))[..., 0]
    return np.sum(loss, where=keep, dtype=logits.dtype) / max(1, np.count_nonzero(keep))
