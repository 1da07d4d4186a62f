"""Right: ne and unsqueeze."""
import torch


def padding_mask(tokens, pad_id=0):
    return torch.ne(tokens, pad_id).unsqueeze(-2)
