"""Targets that do not count become -100, as the library wants them."""
# causes: none

import torch
import torch.nn.functional as F


def language_model_loss(logits, tokens, pad_id=0):
    targets = tokens[:, 1:].clone()
    targets[tokens[:, 1:] == pad_id] = -100
    targets[tokens[:, :-1] == pad_id] = -100
    V = logits.shape[-1]
    z = logits[:, :-1].reshape(-1, V)
    total = F.cross_entropy(z, targets.reshape(-1), ignore_index=-100, reduction="sum")
    return total / torch.clamp((targets != -100).sum(), min=1)
