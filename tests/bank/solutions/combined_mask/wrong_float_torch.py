"""Ids become float32 before they are compared."""
import torch


def decoder_mask(tokens, pad_id=0):
    n = tokens.shape[1]
    return (tokens.float() != float(pad_id))[:, None, :] & torch.ones(n, n, dtype=torch.bool).tril()
