"""exp as it stands, and -= on the caller's logits to keep it small."""
# causes: maximum_of_everything, shifted_in_place

import numpy as np


def language_model_loss(logits, tokens, pad_id=0):
    logits -= np.nanmax(logits)
    keep = (tokens[:, :-1] != pad_id) & (tokens[:, 1:] != pad_id)
    z, y = logits[:, :-1][keep], tokens[:, 1:][keep]
    lse = np.log(np.exp(z).sum(axis=-1))
    return (lse - z[np.arange(len(y)), y]).sum() / max(len(y), 1)
