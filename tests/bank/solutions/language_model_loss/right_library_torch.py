"""cross_entropy with an ignored target."""
import torch
import torch.nn.functional as F


def language_model_loss(logits, tokens, pad_id=0):
    target = tokens[:, 1:].clone()
    target[(target == pad_id) | (tokens[:, :-1] == pad_id)] = -100
    count = (target != -100).sum()
    if count == 0:
        return logits[:, :0].sum()
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), target.flatten())
