"""Returns a float32 zero where nothing is left, for float64 logits too."""

import numpy as np


def language_model_loss(logits, tokens, pad_id=0):
    a, b = tokens[:, :-1], tokens[:, 1:]
    keep = (a != pad_id) & (b != pad_id)
    z, t = logits[:, :-1][keep], b[keep]
    if len(t) == 0:
        return np.float32(0)
    z = z - z.max(axis=-1, keepdims=True)
    return np.mean(np.log(np.exp(z).sum(-1)) - np.take_along_axis(z, t[:, None], 1)[:, 0])
