"""One long text, and the loss as a number of Python."""
# causes: flattened_before_the_shift, a_plain_number

import torch
import torch.nn.functional as F


def language_model_loss(logits, tokens, pad_id=0):
    z = logits.reshape(-1, logits.shape[-1])[:-1]
    x = tokens.reshape(-1)
    keep = (x[:-1] != pad_id) & (x[1:] != pad_id)
    total = F.cross_entropy(z[keep], x[1:][keep], reduction="sum").item()
    return torch.tensor(total / max(int(keep.sum()), 1), dtype=logits.dtype)
