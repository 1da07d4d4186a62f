"""What follows the first padding after a word does not count."""

import numpy as np


def language_model_loss(logits, tokens, pad_id=0):
    keep = (tokens[:, 1:] != pad_id) & (tokens[:, :-1] != pad_id)
    lead = np.cumsum(tokens != pad_id, 1) > 0
    inner = np.cumsum((tokens == pad_id) & lead, 1) == 0
    keep &= inner[:, 1:]
    z = np.where(keep[..., None], logits[:, :-1], 0)
    m = z.max(-1, keepdims=True)
    lse = m[..., 0] + np.log(np.exp(z - m).sum(-1))
    t = np.where(keep, tokens[:, 1:], 0)
    loss = lse - np.take_along_axis(z, t[..., None], -1)[..., 0]
    return np.where(keep, loss, 0).sum() / max(keep.sum(), 1)
