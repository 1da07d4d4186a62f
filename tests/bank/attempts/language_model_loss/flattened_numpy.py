"""One long text of the whole batch."""
# causes: flattened_before_the_shift

import numpy as np


def language_model_loss(logits, tokens, pad_id=0):
    z = logits.reshape(-1, logits.shape[-1])[:-1]
    x = tokens.ravel()
    keep = (x[:-1] != pad_id) & (x[1:] != pad_id)
    z, y = z[keep], x[1:][keep]
    z = z - z.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    return -log_p[np.arange(len(y)), y].sum() / max(len(y), 1)
