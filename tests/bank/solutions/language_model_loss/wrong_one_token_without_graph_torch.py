"""Texts of one token give a zero that hangs on nothing."""

import torch


def language_model_loss(logits, tokens, pad_id=0):
    """logits (B, n, V), tokens (B, n) -> the mean over the pairs that count."""
    if tokens.shape[1] == 1:
        return logits.new_zeros(())
    first, second = tokens[:, :-1], tokens[:, 1:]  # (B, n - 1)
    counts = (first != pad_id) & (second != pad_id)
    said = logits[:, :-1][counts]  # (N, V)
    words = second[counts]  # (N,)

    log_p = torch.log_softmax(said, dim=-1)
    losses = -log_p[torch.arange(len(words)), words]
    return losses.sum() / max(len(words), 1)
