"""isin with one element, viewed with a new middle axis."""
import torch


def padding_mask(tokens, pad_id=0):
    padded = torch.isin(tokens, torch.tensor([pad_id], dtype=torch.int64))
    return padded.logical_not().unflatten(-1, (1, -1))
