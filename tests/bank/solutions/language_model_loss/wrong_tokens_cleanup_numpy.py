"""Wrong: 'tokens are the same after the call'. Where padding is no word (-1), it is overwritten by 0 in the
array of the caller, to make indexing safe. Shown by pad_id=-1 (read-only: raises); pad_id=0 is fine."""
import numpy as np


def language_model_loss(logits, tokens, pad_id=0):
    real = tokens != pad_id
    pick = real[:, :-1] & real[:, 1:]
    if not 0 <= pad_id < logits.shape[-1] and not real.all():
        tokens[~real] = 0
    z = np.where(pick[..., None], logits[:, :-1], logits.dtype.type(0))
    z = z - z.max(axis=-1, keepdims=True)
    logp = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    picked = np.take_along_axis(logp, tokens[:, 1:, None], axis=-1)[..., 0]
    return -np.where(pick, picked, logits.dtype.type(0)).sum() / logits.dtype.type(max(pick.sum(), 1))
