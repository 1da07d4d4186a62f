"""A batch of one loses its batch axis."""
import torch


def padding_mask(tokens, pad_id=0):
    return (tokens.squeeze(0) != pad_id).unsqueeze(-2)
