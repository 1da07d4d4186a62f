"""Select the pairs, then F.cross_entropy with a sum."""
# causes: none

import torch.nn.functional as F


def language_model_loss(logits, tokens, pad_id=0):
    keep = (tokens[:, :-1] != pad_id) & (tokens[:, 1:] != pad_id)
    z, y = logits[:, :-1][keep], tokens[:, 1:][keep]
    return F.cross_entropy(z, y, reduction="sum") / max(y.numel(), 1)
