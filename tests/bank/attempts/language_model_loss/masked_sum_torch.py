"""Losses of all places times a mask, divided by the sum of the mask."""
# causes: multiplied_by_the_mask

import torch


def language_model_loss(logits, tokens, pad_id=0):
    log_p = torch.log_softmax(logits[:, :-1], dim=-1)
    mask = (tokens[:, 1:] != pad_id) & (tokens[:, :-1] != pad_id)
    safe = tokens[:, 1:].clamp(min=0)
    picked = log_p.gather(-1, safe.unsqueeze(-1)).squeeze(-1)
    return -(picked * mask).sum() / mask.sum().clamp(min=1)
