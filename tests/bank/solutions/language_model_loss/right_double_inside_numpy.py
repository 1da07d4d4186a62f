"""float64 inside, cast back; logaddexp, and the places as a list of pairs."""
import numpy as np


def language_model_loss(logits, tokens, pad_id=0):
    b, i = np.nonzero((tokens[:, 1:] != pad_id) & (tokens[:, :-1] != pad_id))
    if b.size == 0:
        return logits.dtype.type(0)
    said = logits[b, i].astype(np.float64)
    own = said[np.arange(b.size), tokens[b, i + 1]]
    return logits.dtype.type(np.mean(np.logaddexp.reduce(said, axis=1) - own))
