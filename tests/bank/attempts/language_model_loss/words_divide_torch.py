"""Divided by the number of words."""
# causes: divided_by_the_words

import torch.nn.functional as F


def language_model_loss(logits, tokens, pad_id=0):
    real = tokens != pad_id
    keep = real[:, :-1] & real[:, 1:]
    total = F.cross_entropy(logits[:, :-1][keep], tokens[:, 1:][keep], reduction="sum")
    return total / real.sum().clamp(min=1)
