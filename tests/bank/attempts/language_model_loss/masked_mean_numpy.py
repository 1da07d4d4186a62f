"""Losses times a mask, and the mean over everything."""
# causes: multiplied_by_the_mask, divided_by_every_pair

import numpy as np


def language_model_loss(logits, tokens, pad_id=0):
    z = logits[:, :-1] - logits[:, :-1].max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    mask = (tokens[:, :-1] != pad_id) & (tokens[:, 1:] != pad_id)
    picked = np.take_along_axis(log_p, tokens[:, 1:, None], axis=-1)[..., 0]
    return -np.sum(picked * mask) / max(mask.size, 1)
