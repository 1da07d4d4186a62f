"""Ids become float32 before they are compared."""
import torch


def padding_mask(tokens, pad_id=0):
    return (tokens.float() != float(pad_id))[:, None, :]
