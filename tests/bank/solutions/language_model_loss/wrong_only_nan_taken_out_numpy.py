"""Takes NaN out of the logits and leaves infinity in, which a mask does not remove."""

import numpy as np


def language_model_loss(logits, tokens, pad_id=0):
    a, b = tokens[:, :-1], tokens[:, 1:]
    keep = (a != pad_id) & (b != pad_id)
    z = logits[:, :-1]
    z = np.where(np.isnan(z), 0, z).astype(logits.dtype)
    z = z - z.max(-1, keepdims=True)
    lp = z - np.log(np.exp(z).sum(-1, keepdims=True))
    t = np.where(keep, b, 0)
    nll = -np.take_along_axis(lp, t[..., None], -1)[..., 0]
    return (nll * keep).sum() / max(keep.sum(), 1).astype(logits.dtype) if keep.any() else logits.dtype.type(0)
