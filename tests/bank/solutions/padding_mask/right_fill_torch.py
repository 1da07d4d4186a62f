"""Right: masked_fill on a mask that begins all True."""
import torch


def padding_mask(tokens, pad_id=0):
    return torch.ones_like(tokens, dtype=torch.bool).masked_fill(tokens.eq(pad_id), False)[:, None, :]
