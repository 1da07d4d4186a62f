"""Minus infinity for what is padding."""
# causes: penalties

import torch


def padding_mask(tokens, pad_id=0):
    mask = torch.zeros(tokens.shape).masked_fill(tokens == pad_id, float("-inf"))
    return mask.unsqueeze(1)
