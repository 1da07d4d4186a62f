"""The first padding token of any text ends all of them."""
import numpy as np


def language_model_loss(logits, tokens, pad_id=0):
    ends = np.flatnonzero((tokens == pad_id).any(axis=0))
    n = ends[0] if ends.size else tokens.shape[1]
    said, words = logits[:, : max(n - 1, 0)], tokens[:, 1:n]
    shifted = said - said.max(axis=-1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    losses = -np.take_along_axis(log_p, words[..., None], axis=-1)
    return losses.sum() / max(losses.size, 1)
