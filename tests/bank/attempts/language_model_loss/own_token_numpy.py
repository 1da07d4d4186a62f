"""Each place against the token that stands there."""
# causes: no_shift

import numpy as np


def language_model_loss(logits, tokens, pad_id=0):
    mask = tokens != pad_id
    z, y = logits[mask], tokens[mask]
    z = z - z.max(axis=-1, keepdims=True)
    log_p = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    return -log_p[np.arange(len(y)), y].sum() / max(len(y), 1)
