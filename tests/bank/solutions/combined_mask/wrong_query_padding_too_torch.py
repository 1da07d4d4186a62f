"""Padded queries are hidden too."""
import torch


def decoder_mask(tokens, pad_id=0):
    r = tokens != pad_id
    n = tokens.shape[1]
    return (r[:, None, :] & r[:, :, None]).tril()
