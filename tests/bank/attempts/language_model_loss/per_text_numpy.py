"""The mean of each text, then the mean of the texts."""
# causes: mean_of_means

import numpy as np


def language_model_loss(logits, tokens, pad_id=0):
    means = []
    for z, x in zip(logits, tokens):
        keep = (x[:-1] != pad_id) & (x[1:] != pad_id)
        if not keep.any():
            continue
        z, y = z[:-1][keep], x[1:][keep]
        top = z.max(axis=1)
        lse = top + np.log(np.exp(z - top[:, None]).sum(axis=1))
        means.append((lse - z[np.arange(len(y)), y]).mean())
    return np.mean(means, dtype=logits.dtype) if means else logits.dtype.type(0)
