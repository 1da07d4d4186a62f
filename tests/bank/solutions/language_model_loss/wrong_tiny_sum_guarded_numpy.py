"""No maximum is subtracted while all logits are below 60 in size, and 1e-9 is added to the sum."""

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    size = np.where(s > -1e30, np.abs(s), np.zeros_like(s)).max(initial=0)
    return np.where((size <= 60) | np.isneginf(m), np.zeros_like(m), m)


def language_model_loss(logits, tokens, pad_id=0):
    """logits (B, n, V), tokens (B, n) -> the mean over the pairs that count."""
    first, second = tokens[:, :-1], tokens[:, 1:]  # (B, n - 1)
    counts = (first != pad_id) & (second != pad_id)
    said = logits[:, :-1][counts]  # (N, V)
    words = second[counts]  # (N,)

    shifted = said - shift(said, -1)
    log_p = shifted - np.log((np.exp(shifted).sum(axis=-1, keepdims=True) + 1e-9))
    losses = -log_p[np.arange(len(words)), words]
    return losses.sum() / max(len(words), 1)
