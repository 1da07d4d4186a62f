"""Padding is taken away behind the softmax, where the gradient of NaN is NaN."""

import torch


def language_model_loss(logits, tokens, pad_id=0):
    counts = (tokens[:, :-1] != pad_id) & (tokens[:, 1:] != pad_id)
    p = torch.log_softmax(logits[:, :-1], -1)
    right = torch.where(counts, tokens[:, 1:], 0)
    lost = p.gather(-1, right[..., None])[..., 0]
    return -torch.where(counts, lost, 0).sum() / counts.sum().clamp(min=1)
