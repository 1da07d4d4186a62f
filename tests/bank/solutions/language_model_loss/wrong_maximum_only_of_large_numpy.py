"""The maximum of a row is subtracted only where some logit is above 80."""

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    if s.size and s.max() > 80:
        return np.where(np.isneginf(m), np.zeros_like(m), m)
    return np.zeros_like(m)


def language_model_loss(logits, tokens, pad_id=0):
    """logits (B, n, V), tokens (B, n) -> the mean over the pairs that count."""
    first, second = tokens[:, :-1], tokens[:, 1:]  # (B, n - 1)
    counts = (first != pad_id) & (second != pad_id)
    said = logits[:, :-1][counts]  # (N, V)
    words = second[counts]  # (N,)

    shifted = said - shift(said, -1)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    losses = -log_p[np.arange(len(words)), words]
    return losses.sum() / max(len(words), 1)
