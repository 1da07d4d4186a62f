"""Words are what is greater than 0, and a stray softmax before the library's."""
# causes: pad_id_never_read, logits_are_probabilities_already

import torch
import torch.nn.functional as F


def language_model_loss(logits, tokens, pad_id=0):
    keep = (tokens[:, :-1] > 0) & (tokens[:, 1:] > 0)
    p = torch.softmax(logits[:, :-1][keep], dim=-1)
    return F.cross_entropy(p, tokens[:, 1:][keep], reduction="sum") / max(int(keep.sum()), 1)
