"""Looks up padding that lies above the vocabulary."""

import torch


def language_model_loss(logits, tokens, pad_id=0):
    real = tokens.ne(pad_id)
    keep = real[:, :-1] & real[:, 1:]
    z = logits[:, :-1].masked_fill(~keep[..., None], 0.0)
    lp = z - z.logsumexp(-1, keepdim=True)
    t = tokens[:, 1:].clamp(min=0)
    nll = -lp.gather(-1, t.unsqueeze(-1)).squeeze(-1)
    return (nll * keep).sum() / keep.sum().clamp(min=1)
